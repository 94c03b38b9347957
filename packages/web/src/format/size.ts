export const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024).toLocaleString("en")} KB`;
