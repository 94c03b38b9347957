const radius = 5.5;
const length = 2 * Math.PI * radius;

interface MeterProps {
  /** What it measures. */
  readonly label: string;
  /** From 0 to 1. */
  readonly value: number;
  /** Above this, it is shown as a warning. */
  readonly warnFrom?: number;
  /** The exact amounts. */
  readonly title: string;
}

/** How full something is: a ring and a percentage. */
export function Meter({ label, value, warnFrom = 0.85, title }: MeterProps) {
  const full = Math.min(1, Math.max(0, value));
  const percent = Math.round(100 * full);
  return (
    <span
      title={title}
      className={`flex items-center gap-1 tabular-nums ${full > warnFrom ? "text-warn" : ""}`}
    >
      <meter aria-label={label} className="sr-only" value={full} />
      <svg aria-hidden="true" width="14" height="14" viewBox="0 0 14 14" fill="none" strokeWidth="2">
        <circle cx="7" cy="7" r={radius} stroke="var(--line-strong)" />
        <circle
          cx="7"
          cy="7"
          r={radius}
          stroke="currentColor"
          strokeLinecap="round"
          strokeDasharray={`${full * length} ${length}`}
          transform="rotate(-90 7 7)"
        />
      </svg>
      <span aria-hidden="true">{percent}%</span>
    </span>
  );
}
