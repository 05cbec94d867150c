const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes, such as `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let amount = Math.max(0, bytes);
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 9.95 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}
