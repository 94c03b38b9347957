import type { Accounts } from "./store/accounts.ts";
import type { EventLog } from "./store/event-log.ts";
import type { Maintenance } from "./store/maintenance.ts";
import type { Proposals } from "./store/proposals.ts";
import type { Records } from "./store/records.ts";
import type { Sessions } from "./store/sessions.ts";

/** Everything one home stores. Consumers take the part they use. */
export interface Store
  extends EventLog,
    Sessions,
    Proposals,
    Records,
    Accounts,
    Maintenance,
    AsyncDisposable {}
