import * as z from 'zod/mini';

/** ISO 8601 date-time. The specification names no zone rule, so `Z`, any offset or none are all well-formed. */
export const dateTimeShape: z.ZodMiniType<string> = z.stringFormat('datetime', isDateTime);

const dateTime =
  /^(\d{4}-\d\d-(\d\d))T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?$/;

/** Whether the text names an instant, or one of a zone that it leaves open. */
export function isDateTime(text: string): boolean {
  const [, date, day = ''] = dateTime.exec(text) ?? [];
  return date !== undefined && (isInEveryMonth(day) ? isMonthOf(date) : isCalendarDate(date));
}

function isInEveryMonth(day: string): boolean {
  return day >= '01' && day <= '28';
}

function isMonthOf(date: string): boolean {
  const month = date.slice(5, 7);
  return month >= '01' && month <= '12';
}

/** `Date` rolls 30 February over into March. */
function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
