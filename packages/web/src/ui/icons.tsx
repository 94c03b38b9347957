import type { ReactNode } from "react";

/** Drawn on a 16 × 16 grid in the text's color. Icons always accompany a label, so screen readers skip them. */
export function icon(children: ReactNode, className?: string) {
  return function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg
        aria-hidden="true"
        className={className ? `shrink-0 ${className}` : "shrink-0"}
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {children}
      </svg>
    );
  };
}

export const PlusIcon = icon(<path d="M8 3.5v9M3.5 8h9" />);
export const BackIcon = icon(<path d="M10 3.5 5.5 8l4.5 4.5" />);
export const DownIcon = icon(<path d="M8 3.5v9m0 0L4.5 9M8 12.5 11.5 9" />);
export const UpIcon = icon(<path d="M8 12.5v-9m0 0L4.5 7M8 3.5 11.5 7" />);
export const ExpandIcon = icon(<path d="M8 2v4.5M8 14V9.5M5.5 4.5 8 2l2.5 2.5m-5 7L8 14l2.5-2.5" />);
export const ChevronIcon = icon(<path d="m6 4 4 4-4 4" />);
export const MoreIcon = icon(
  <g fill="currentColor" stroke="none">
    <circle cx="3.5" cy="8" r="1.1" />
    <circle cx="8" cy="8" r="1.1" />
    <circle cx="12.5" cy="8" r="1.1" />
  </g>,
);
export const UndoIcon = icon(<path d="M5.5 3 2.8 5.8l2.7 2.7M3 5.8h6.2a3.6 3.6 0 0 1 0 7.2H6.5" />);
export const OpenIcon = icon(<path d="M9.5 3H13v3.5M13 3 7.5 8.5M11 9.5V13H3V5h3.5" />);
export const CheckIcon = icon(<path d="m3.5 8.5 3 3 6-7" />);
export const CrossIcon = icon(<path d="m4.5 4.5 7 7m0-7-7 7" />);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="7.5" height="7.5" rx="1.5" />
    <path d="M10.5 3.5v-.2c0-.7-.5-1.3-1.2-1.3h-5C3.5 2 3 2.6 3 3.3v5c0 .7.6 1.2 1.3 1.2h.2" />
  </>,
);
export const SpinnerIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.5" opacity="0.25" />
    <path d="M13.5 8A5.5 5.5 0 0 0 8 2.5" />
  </>,
  "animate-spin",
);
export const AlertIcon = icon(<path d="M8 5.5v3m0 2.2v.1M8 2 1.8 13h12.4z" />);
export const InfoIcon = icon(
  <>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 7.5v3.2M8 5.3v.1" />
  </>,
);
export const ThoughtIcon = icon(
  <>
    <path d="M5.8 11.8c-2-.6-3.3-2-3.3-4C2.5 5 5 3 8 3s5.5 2 5.5 4.8c0 2-1.3 3.4-3.3 4" />
    <path d="M6.5 13.5h3" />
  </>,
);
export const TerminalIcon = icon(<path d="m3 4.5 3.5 3.5L3 11.5M8.5 11.5H13" />);
export const PencilIcon = icon(
  <path d="m3 13 .7-3 6.6-6.6a1.1 1.1 0 0 1 1.6 0l.7.7a1.1 1.1 0 0 1 0 1.6L6 12.3z" />,
);
export const FileIcon = icon(<path d="M4 2.5h5l3 3v8H4zM9 2.5v3h3" />);
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4" />
    <path d="m10 10 3.2 3.2" />
  </>,
);
export const GlobeIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M2.5 8h11M8 2.5c3.5 3.5 3.5 7.5 0 11-3.5-3.5-3.5-7.5 0-11" />
  </>,
);
export const TrashIcon = icon(<path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9" />);
export const MoveIcon = icon(<path d="M3 8h10m0 0L9.5 4.5M13 8l-3.5 3.5" />);
export const PlanIcon = icon(<path d="M3 4h.1M6 4h7M3 8h.1M6 8h7M3 12h.1M6 12h7" />);
export const ToolIcon = icon(
  <path d="M9.5 5.2a3 3 0 0 1 3.9-2.7L11.5 4.4l.2 1.4 1.4.2 1.4-1.9a3 3 0 0 1-3.9 3.7l-5.1 5.1a1.3 1.3 0 0 1-1.9-1.9l5.1-5.1q-.2-.3-.2-.7" />,
);
export const InboxIcon = icon(
  <path d="M2.5 9.5 4.3 3.5h7.4l1.8 6v3h-11zm0 0h3.2c.3 1.2 1.1 1.8 2.3 1.8s2-.6 2.3-1.8h3.2" />,
);
export const AgentIcon = icon(
  <>
    <rect x="3" y="5" width="10" height="7.5" rx="2" />
    <path d="M8 5V2.8M6 8.3v.9M10 8.3v.9" />
  </>,
);
export const FolderIcon = icon(<path d="M2.5 12.5v-9h4l1.5 2h5.5v7z" />);
export const BoardIcon = icon(
  <>
    <rect x="2.5" y="3" width="3" height="10" rx="1" />
    <rect x="6.5" y="3" width="3" height="6" rx="1" />
    <rect x="10.5" y="3" width="3" height="8" rx="1" />
  </>,
);
export const WorktreeIcon = icon(
  <>
    <circle cx="4.5" cy="4" r="1.7" />
    <circle cx="4.5" cy="12" r="1.7" />
    <circle cx="11.5" cy="6" r="1.7" />
    <path d="M4.5 5.7v4.6M11.5 7.7c0 2-2 2.6-4.2 2.8" />
  </>,
);
export const SettingsIcon = icon(
  <>
    <path d="M2.5 5h4m4 0h3M2.5 11h2m4 0h5" />
    <circle cx="8.3" cy="5" r="1.7" />
    <circle cx="6.3" cy="11" r="1.7" />
  </>,
);
export const DoctorIcon = icon(<path d="M1.8 8.5h3l1.8-4.5 2.8 8 1.8-3.5h3" />);
export const ThemeIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5v11A5.5 5.5 0 0 0 8 2.5" fill="currentColor" />
  </>,
);
export const FilterIcon = icon(<path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />);
export const BellIcon = icon(<path d="M4 11V7.2a4 4 0 0 1 8 0V11l1.2 1H2.8zM6.8 14h2.4" />);
export const KeyboardIcon = icon(
  <>
    <rect x="1.8" y="4" width="12.4" height="8" rx="1.5" />
    <path d="M4.5 6.8h.1M7 6.8h.1M9.4 6.8h.1M11.6 6.8h.1M5 9.4h6" />
  </>,
);
export const ArchiveIcon = icon(<path d="M2.5 3.5h11V6h-11zM3.5 6v6.5h9V6M6.5 8.5h3" />);
export const ClipIcon = icon(
  <path d="m13 7.5-5.2 5.2a3 3 0 0 1-4.3-4.2l5.6-5.6a2 2 0 0 1 2.9 2.8L6.6 11a1 1 0 0 1-1.4-1.4l4.6-4.6" />,
);
