/**
 * Tests that start things but keep no state in modules they import. One worker runs many of these files: loading the
 * server, or Playwright, costs more than most of them. test/shared-files.test.ts checks their helpers.
 */
export const shared = [
  "packages/server/test/{accounts,acp,api,claude,cli,context,demo,engine,git,jsonl,log,presets,store,text,workspace}/**/*.test.ts",
  "packages/web/test/**/*.test.ts",
  "test/e2e/*.test.ts",
];
