/** A slash command must be the first thing in a prompt: anything else to be sent waits for the next prompt. */
export const isSlashCommand = (content: string): boolean => content.startsWith("/");
