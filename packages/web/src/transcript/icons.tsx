import { icon } from "../ui/icons.tsx";

export const LinkIcon = icon(
  <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.7.7M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.7-.7" />,
);
export const ForkIcon = icon(
  <>
    <circle cx="4.5" cy="3.8" r="1.6" />
    <circle cx="11.5" cy="3.8" r="1.6" />
    <circle cx="8" cy="12.2" r="1.6" />
    <path d="M4.5 5.4v.8c0 1 .6 1.6 1.6 1.6h3.8c1 0 1.6-.6 1.6-1.6v-.8M8 7.8v2.8" />
  </>,
);
export const UpIcon = icon(<path d="M8 12.5v-9m0 0L4.5 7M8 3.5 11.5 7" />);
export const SubAgentIcon = icon(
  <>
    <rect x="3" y="5.5" width="10" height="7.5" rx="2" />
    <path d="M8 5.5V3M6.3 9v.6M9.7 9v.6M1.5 8.5v2M14.5 8.5v2" />
  </>,
);
export const SteerIcon = icon(<path d="M3 12.5c0-4 2-5.5 5.5-5.5H13m0 0L9.8 3.8M13 7l-3.2 3.2" />);
export const SquareIcon = icon(<rect x="4" y="4" width="8" height="8" rx="1.5" />);
