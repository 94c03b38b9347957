// The programs from outside npm that some tests need. Where they cannot be had those tests are skipped and named.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findBubblewrap, findChromium } from "../test/kit/programs.ts";

/** Debian's package name → whether the program is there. */
const programs = { chromium: findChromium, bubblewrap: findBubblewrap };

const missing = () => Object.entries(programs).flatMap(([name, find]) => (find() ? [] : [name]));

function aptGet(...args: string[]): boolean {
  const { status } = spawnSync("apt-get", ["-qq", ...args], {
    stdio: "ignore",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

/** Installs what is missing where that is ours to do (Debian and Ubuntu as root); elsewhere says what to install. */
export function preparePrograms(): void {
  const wanted = missing();
  if (wanted.length === 0) return;
  const install = ["install", "--yes", "--no-install-recommends", ...wanted];
  if (existsSync("/etc/debian_version") && process.getuid?.() === 0) {
    console.log(`Installing ${wanted.join(" and ")} with apt-get; this takes a minute, once.`);
    if (!aptGet(...install)) aptGet("update") && aptGet(...install);
  }
  for (const name of missing()) {
    console.log(
      `Not installed: ${name}. Tests that need it are skipped; install it with your package manager.`,
    );
  }
}
