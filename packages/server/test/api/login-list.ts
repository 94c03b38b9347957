import { bearer, raw, type TestApi } from "./harness.ts";

/** A login as it is listed. */
export interface Listed {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly current?: true;
}

export const dayMs = 24 * 3_600_000;

/** The status of a request that needs a login or the token, with these headers. */
export const statusOf = async ({ port }: TestApi, headers: Record<string, string>) =>
  (await raw(port, "/api/sessions", { headers })).status;

export async function list(api: TestApi, headers: Record<string, string> = bearer): Promise<Listed[]> {
  return (await raw(api.port, "/api/logins", { headers })).json["logins"] as Listed[];
}
