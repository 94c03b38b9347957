// What the engine and the faces need of the world. Whoever provides it knows nothing else of them.
export * from "./ports/conversations.ts";
export * from "./ports/driver.ts";
export * from "./ports/logger.ts";
export * from "./ports/peer.ts";
export * from "./ports/reactions.ts";
export * from "./ports/store.ts";
export * from "./ports/workspace.ts";
