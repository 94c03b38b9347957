const units = ["B", "KB", "MB", "GB", "TB"];

/** A size on disk: 512 B, 1.5 MB, 20 GB. */
export function bytesWords(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}
