// What the engine needs of the world. Whoever provides it knows nothing else of the engine.
export * from "./ports/conversations.ts";
export * from "./ports/driver.ts";
export * from "./ports/store.ts";
export * from "./ports/workspace.ts";
