import type { ReactNode } from "react";
import { productOf } from "./families.ts";
import { monogramOf } from "./letters.ts";

/** A shape of our own for a product, and its hue in degrees. None is a vendor's logo. */
interface Icon {
  readonly hue: number;
  readonly shape: ReactNode;
}

/** By product. */
export const icons: Readonly<Record<string, Icon>> = {
  Demo: { hue: 262, shape: <path d="M5.5 3.5v9l7-4.5z" /> },
  "Claude Code": { hue: 45, shape: <path d="M3 12a5 5 0 0 1 10 0M5.7 12a2.3 2.3 0 0 1 4.6 0M8 4V2.5" /> },
  Codex: { hue: 165, shape: <path d="M3 4.5h3.5M3 8h7M3 11.5h10" /> },
  "Gemini CLI": {
    hue: 285,
    shape: (
      <>
        <circle cx="6" cy="8" r="3.5" />
        <circle cx="10" cy="8" r="3.5" />
      </>
    ),
  },
  OpenCode: { hue: 90, shape: <path d="M9.5 3H3v10h10V6.5" /> },
  "Qwen Code": { hue: 310, shape: <path d="m8 2.5 5.5 5.5L8 13.5 2.5 8zM8 8v.01" /> },
  "GitHub Copilot": { hue: 230, shape: <path d="M2.5 11 8 4l5.5 7M5.5 13h5" /> },
  Cursor: { hue: 195, shape: <path d="M5.5 2.5h5M8 2.5v11M5.5 13.5h5" /> },
  Cline: { hue: 20, shape: <path d="m3 12.5 10-9M3 12.5h10" /> },
  Continue: { hue: 335, shape: <path d="m3 4 4 4-4 4M9 4l4 4-4 4" /> },
  Pi: { hue: 125, shape: <path d="M2.5 4.5h11M5.5 4.5v8M10.5 4.5v8" /> },
  Amp: { hue: 70, shape: <path d="M2 8c1.5-5 3-5 4 0s2.5 5 4 0 2.5-5 4 0" /> },
  Aider: { hue: 145, shape: <path d="M8 3v10M3 8h10M4.5 4.5l7 7M11.5 4.5l-7 7" /> },
};

/** The outlines of agents without an icon. Together with two letters and a hue they distinguish agents. */
const outlines = ["rounded-lg", "rounded-full", "rounded-none", "rounded-tl-none rounded-br-none rounded-xl"];

/** Small and stable: the same name always looks the same. */
export function lookOf(name: string): { hue: number; outline: string; letters: string } {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return {
    hue: (hash * 47) % 360,
    outline: outlines[hash % outlines.length] ?? "",
    letters: monogramOf(name),
  };
}

/** Lightness is fixed per theme, so that every hue has enough contrast. */
const colourOf = (hue: number) => `light-dark(oklch(0.47 0.12 ${hue}), oklch(0.8 0.1 ${hue}))`;

interface AgentIconProps {
  /** The agent's name, which is shown beside the icon. */
  readonly name: string;
  readonly size?: "small" | "large";
  readonly dim?: boolean;
}

export function AgentIcon({ name, size = "large", dim = false }: AgentIconProps) {
  const product = productOf({ name });
  const icon = Object.hasOwn(icons, product) ? icons[product] : undefined;
  const { hue, outline, letters } = lookOf(product);
  const isSmall = size === "small";
  const box = isSmall ? "size-4 text-[0.5625rem]" : "size-9 bg-raised text-xs";
  const edge = isSmall ? "" : "rounded-lg border border-line";
  return (
    <span
      aria-hidden="true"
      style={dim ? {} : { color: colourOf(icon?.hue ?? hue) }}
      className={`flex shrink-0 items-center justify-center font-semibold tracking-tight ${box} ${icon ? edge : `${outline} border border-current`} ${dim ? "text-faint" : ""}`}
    >
      {icon ? <Shape size={isSmall ? 14 : 20}>{icon.shape}</Shape> : letters}
    </span>
  );
}

function Shape({ size, children }: { size: number; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}
