/** Returns `hh:mm:ss` and milliseconds after the separator. Hours can have more than two digits. */
export function formatTime(milliseconds: number, separator: '.' | ','): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return `${digits(hours, 2)}:${minutesAndSeconds(milliseconds)}${separator}${digits(milliseconds % 1000, 3)}`;
}

/** Returns `h:mm:ss`, as players show it. Fractions of a second are cut off. */
export function formatClock(milliseconds: number): string {
  return `${Math.floor(milliseconds / 3_600_000)}:${minutesAndSeconds(milliseconds)}`;
}

function minutesAndSeconds(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  return `${digits(minutes, 2)}:${digits(Math.floor(milliseconds / 1000) % 60, 2)}`;
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
