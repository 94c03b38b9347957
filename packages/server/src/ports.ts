// What the engine and the faces need from outside. Implementations know nothing else about them.
export * from "./ports/attachments.ts";
export * from "./ports/conversations.ts";
export * from "./ports/driver.ts";
export * from "./ports/logger.ts";
export * from "./ports/peer.ts";
export * from "./ports/raw-logs.ts";
export * from "./ports/store/alarms.ts";
export * from "./ports/store/error.ts";
export * from "./ports/store/event-log.ts";
export * from "./ports/store/inspection.ts";
export * from "./ports/store/maintenance.ts";
export * from "./ports/store/reactions.ts";
export * from "./ports/store/records.ts";
export * from "./ports/store/session-row.ts";
export * from "./ports/store/sessions.ts";
export * from "./ports/store.ts";
export * from "./ports/workspace.ts";
