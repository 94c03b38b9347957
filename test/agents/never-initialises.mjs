// Reads everything and answers nothing.
import { stayAlive } from "./kit.mjs";

console.error("never-initialises: I have nothing to say");
process.stdin.resume();
stayAlive();
