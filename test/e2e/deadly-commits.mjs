// Preloaded into a server: kills it before or after the commit whose number is in `fault`, as `deadlyGit` does for git.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const at = (name) => join(process.env.HOME, name);
const read = (name) => (existsSync(at(name)) ? readFileSync(at(name), "utf8").trim() : "");
const { prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  if (sql !== "COMMIT") return statement;
  const run = statement.run.bind(statement);
  statement.run = () => {
    const number = Number(read("count")) + 1;
    const fault = read("fault");
    writeFileSync(at("count"), `${number}`);
    if (fault === `before ${number}`) process.kill(process.pid, "SIGKILL");
    const result = run();
    if (fault === `after ${number}`) process.kill(process.pid, "SIGKILL");
    return result;
  };
  return statement;
};
