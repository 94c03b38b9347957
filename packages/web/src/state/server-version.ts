import type { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import { createStore } from "./store.ts";

/** Whether the server is still the one this page came from; a newer one brings a newer page. */
export class ServerVersion {
  /** The other version, once one was seen. */
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
