import type { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import { createStore } from "./store.ts";

/** Detects that the server was updated since the page was loaded. */
export class ServerVersion {
  /** The new version, once detected. */
  readonly changedTo = createStore<string | undefined>(undefined);
  private first: string | undefined;

  constructor(connection: Connection) {
    connection.onOpen(() => void this.look());
  }

  private async look(): Promise<void> {
    const health = await api<{ version: string }>("GET", "/api/health");
    if (!health.ok) return;
    const { version } = health.value;
    this.first ??= version;
    this.changedTo.set(version === this.first ? undefined : version);
  }
}
