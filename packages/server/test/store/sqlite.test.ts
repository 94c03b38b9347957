import { storeContract } from "../../../../test/contract/store.ts";
import { homeAt } from "../../src/home.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const fileIn = (directory: string) => homeAt(directory).database;

storeContract("SQLite", { open: (directory) => openSqliteStore({ file: fileIn(directory) }), fileIn });
