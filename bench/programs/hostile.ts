// node hostile.ts ATTACK: four hostile clients in a separate process, until standard input ends. Prints a line when all are
// connected, and at the end what they did.
import { once } from "node:events";
import { type Attack, attack } from "../../test/kit/hostile-clients.ts";
import { until } from "../../test/kit/until.ts";

const order = JSON.parse(process.argv[2] ?? "") as Attack;
await using hostile = attack(order);
const { damage } = hostile;
await until(() => damage.opened > 0 && damage.junkLogins > 0 && damage.hugeBodies > 0);
console.log("attacking");
process.stdin.resume();
await once(process.stdin, "end");
console.log(JSON.stringify(damage));
