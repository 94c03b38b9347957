/** A slash command is one only as the first thing in a prompt: whatever else is due waits for the next prompt. */
export const isSlashCommand = (content: string): boolean => content.startsWith("/");
