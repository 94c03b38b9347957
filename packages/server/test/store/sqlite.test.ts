import { storeContract } from "../../../../test/contract/store.ts";
import { homeAt } from "../../src/home.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

storeContract("SQLite", (directory) => openSqliteStore({ file: homeAt(directory).database }));
