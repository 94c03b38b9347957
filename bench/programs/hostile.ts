// node hostile.ts ATTACK: four hostile clients in a process of their own, until standard input ends. Prints when they are
// all there, and at the end the damage they did.
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
