/** Shorter ones would redact ordinary words. */
const shortest = 8;
const blot = "[redacted]";

/** Takes the secrets of accounts out of Drover's own words. What agents and people said stays as they said it. */
export class KnownSecrets {
  private readonly forms = new Set<string>();
  private readonly onForm: (form: string) => void;

  /** `onForm` is called with each new text that must not be written. */
  constructor(onForm: (form: string) => void) {
    this.onForm = onForm;
  }

  add(values: Iterable<string>): void {
    for (const value of values) {
      for (const form of formsOf(value)) {
        if (form.length < shortest || this.forms.has(form)) continue;
        this.forms.add(form);
        this.onForm(form);
      }
    }
  }

  redact(text: string): string {
    let clean = text;
    for (const form of this.forms) clean = clean.replaceAll(form, blot);
    return clean;
  }
}

/** A secret as it is, in base 64 and in a URL. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const inBase64 = [bytes.toString("base64"), bytes.toString("base64url")];
  return [value, ...inBase64.map((text) => text.replace(/=+$/, "")), encodeURIComponent(value)];
}
