/** Names with control characters can't be typed into a message, so they are not offered. */
export const hasControl = (name: string): boolean => /\p{Cc}/u.test(name);
