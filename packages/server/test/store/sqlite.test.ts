import { storeContract } from "../../../../test/contract/store.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

storeContract("SQLite", (directory) => openSqliteStore({ directory }));
