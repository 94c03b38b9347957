import { expect, test } from "vitest";
import { KnownSecrets } from "../../src/accounts/known-secrets.ts";

test("K7 a secret is redacted as it is, in base 64 and in a URL", () => {
  const forms: string[] = [];
  const secrets = new KnownSecrets((form) => forms.push(form));
  const secret = "sk-ant/canary+1?&>";
  secrets.add([secret, "short"]);
  const base64 = Buffer.from(secret).toString("base64");
  const base64url = Buffer.from(secret).toString("base64url");
  const inUrl = encodeURIComponent(secret);
  const words = `${secret} ${base64} ${base64url} ${inUrl} short`;
  expect(secrets.redact(words)).toMatch(/^\[redacted\] \[redacted\]=* \[redacted\]=* \[redacted\] short$/);
  expect(new Set(forms).size).toBe(forms.length);
  expect(forms).toContain(secret);
});
