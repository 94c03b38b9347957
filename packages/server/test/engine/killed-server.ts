// node killed-server.ts HOME COMMIT before|after
// Uses a session and kills itself right before or after it stores the session's COMMITth commit. If there are fewer,
// it prints how many there were.
import { stageIn, useSession } from "./killed-session.ts";
import { Staged } from "./support.ts";

const [path = "", commit, when] = process.argv.slice(2);
const home = { path, remove: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
const die = (): Promise<never> => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
};

let commits = 0;
const staged = await Staged.open(
  stageIn(home, 0, async (store) => {
    const isLast = ++commits === Number(commit);
    if (isLast && when === "before") await die();
    await store();
    if (isLast) await die();
  }),
);
await staged.engine.recover();
const { id } = await staged.create();
await useSession(staged, id);
process.stdout.write(`${commits}`);
await staged.close();
