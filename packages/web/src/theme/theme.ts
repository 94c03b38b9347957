import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeWords: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

/** Also read by `login-theme.js`, before the first paint. */
const storageKey = "drover:theme";

const theme = createStore<Theme>(read());
// The theme was changed in another tab.
addEventListener("storage", ({ key }) => {
  if (key === storageKey) show(read());
});

function read(): Theme {
  const stored = browserStorage.read(storageKey);
  return themes.find((name) => name === stored) ?? "system";
}

function show(chosen: Theme): void {
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
  theme.set(chosen);
}

export function chooseTheme(chosen: Theme): void {
  browserStorage.write(storageKey, chosen);
  show(chosen);
}

/** Switches to the next theme. */
export function turnTheme(): void {
  chooseTheme(themes[(themes.indexOf(theme.get()) + 1) % themes.length] ?? "system");
}

export function useTheme(): Theme {
  return useStore(theme, (chosen) => chosen);
}
