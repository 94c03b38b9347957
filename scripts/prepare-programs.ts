// The programs from outside npm that some tests need. Without them, those tests are skipped and listed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findBubblewrap, findChromium } from "../test/kit/programs.ts";

/** Debian's packages for a program, in order of preference, and whether the program is installed. */
const programs = [
  { packages: ["chromium-headless-shell", "chromium"], find: findChromium },
  { packages: ["bubblewrap"], find: findBubblewrap },
];

function aptGet(...args: string[]): boolean {
  const { status } = spawnSync("apt-get", ["-qq", ...args], {
    stdio: "ignore",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

/** Installs missing programs where we may (Debian and Ubuntu as root); elsewhere says what to install. */
export function preparePrograms(): void {
  const missing = programs.filter(({ find }) => !find());
  if (missing.length === 0) return;
  const isOurs = existsSync("/etc/debian_version") && process.getuid?.() === 0;
  if (isOurs) {
    const names = missing.map(({ packages }) => packages[0]).join(" and ");
    console.log(`Installing ${names} with apt-get; this takes a minute, once.`);
    aptGet("update");
  }
  for (const { packages, find } of missing) {
    const install = (name: string) => aptGet("install", "--yes", "--no-install-recommends", name);
    if (isOurs) packages.some((name) => install(name) && find());
    if (find()) continue;
    const names = packages.join(" or ");
    console.log(
      `Not installed: ${names}. Tests that need it are skipped; install it with your package manager.`,
    );
  }
}
