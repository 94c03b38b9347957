// Preloaded into a server: kills it before or after the commit whose number is in `fault`, as `deadlyGit` does for git.
// `after +3` is the third commit from then on.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const at = (name) => join(process.env.HOME, name);
const read = (name) => (existsSync(at(name)) ? readFileSync(at(name), "utf8").trim() : "");
const { prepare } = DatabaseSync.prototype;
let known = "";
let since = 0;

DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  if (sql !== "COMMIT") return statement;
  const run = statement.run.bind(statement);
  statement.run = () => {
    const number = Number(read("count")) + 1;
    const fault = read("fault");
    since = fault === known ? since + 1 : 1;
    known = fault;
    const isAt = (side) => [`${side} ${number}`, `${side} +${since}`].includes(fault);
    writeFileSync(at("count"), `${number}`);
    if (isAt("before")) process.kill(process.pid, "SIGKILL");
    const result = run();
    if (isAt("after")) process.kill(process.pid, "SIGKILL");
    return result;
  };
  return statement;
};
