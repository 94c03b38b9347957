/** `1 commit`, `2,000 commits`. */
export const countOf = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en")} ${one}s`;
