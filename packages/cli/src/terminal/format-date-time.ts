/**
 * An ISO 8601 date-time to the minute, in the time zone of whoever reads it; one without an offset is UTC. What is none
 * is left as it is.
 */
export function formatDateTime(text: string): string {
  const isNaive = /T[\d:.,]*$/.test(text);
  const date = new Date(isNaive ? `${text}Z` : text);
  if (Number.isNaN(date.getTime())) return text;
  const [year, ...rest] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const day = [String(year).padStart(4, '0'), ...rest.map(twoDigits)].join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** A length such as `1:02:03` or `0:07`. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const end = twoDigits(whole % 60);
  return hours === 0 ? `${minutes}:${end}` : `${hours}:${twoDigits(minutes)}:${end}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
