/** A drover's crook, and the herd before it. Always beside the name. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden="true" className="shrink-0" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill="#22252d" />
      <path
        d="M10.5 26.5V12a5.25 5.25 0 0 1 10.5 0c0 2.3-1.5 4-3.6 4"
        fill="none"
        stroke="#f4b860"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <g fill="#f4b860">
        <circle cx="18" cy="25.5" r="2" />
        <circle cx="24.5" cy="25.5" r="2" />
      </g>
    </svg>
  );
}
