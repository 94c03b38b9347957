export const fileCount = (count: number): string =>
  count === 1 ? "1 file" : `${count.toLocaleString("en")} files`;
