import { Choice } from "../ui/choice.tsx";
import { chooseTheme, themes, themeWords, useTheme } from "./theme.ts";

const options = themes.map((value) => ({ value, name: themeWords[value] }));

export function ThemeField() {
  return <Choice legend="Theme" options={options} value={useTheme()} onChange={chooseTheme} />;
}
