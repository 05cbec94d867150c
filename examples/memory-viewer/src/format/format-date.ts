const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });

/** The day in the reader's language and time zone; a text that is not a date is returned unchanged. */
export function formatDay(dateTime: string): string {
  return format(day, dateTime);
}

export function formatTime(dateTime: string): string {
  return format(time, dateTime);
}

function format(formatter: Intl.DateTimeFormat, dateTime: string): string {
  const date = new Date(dateTime);
  return Number.isNaN(date.getTime()) ? dateTime : formatter.format(date);
}
