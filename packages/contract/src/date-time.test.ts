import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { isDateTime, losesDigits, normalizeDateTime, parseDateTime } from './date-time.ts';

afterEach(() => vi.unstubAllEnvs());

const noon = Date.UTC(2026, 2, 1, 12);

test.each([
  ['2026-03-01T12:00', noon],
  ['2026-03-01T12:00:00', noon],
  ['2026-03-01T12:00:00Z', noon],
  ['2026-03-01T12:00:00.5', noon + 500],
  ['2026-03-01T12:00:00,0019Z', noon + 1],
  ['2026-03-01T14:00:00+02', noon],
  ['2026-03-01T14:30:00+0230', noon],
  ['2026-03-01T08:30-03:30', noon],
  ['2026-03-01T17:45:00+05:45', noon],
  ['2026-03-01T12:00:00.123456789Z', noon + 123],
  ['2026-12-31T23:59:59Z', Date.UTC(2026, 11, 31, 23, 59, 59)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
])('%s is an instant', (text, instant) => {
  expect(parseDateTime(text)).toBe(instant);
  expect(isDateTime(text)).toBe(true);
  expect(normalizeDateTime(text)).toBe(new Date(instant).toISOString());
});

test.each([
  ...['', '1', 'soon', '2026', '2026-03-01', '2026-03-01 12:00:00', '2026-03-01t12:00:00z', 'March 1, 2026 12:00'],
  ...[
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
  ],
  ...['2026-03-01T24:00:00Z', '2026-03-01T12:60:00Z', '2026-03-01T12:00:60Z', '2026-03-01T12:00:00+24:00'],
  ...['2026-03-01T12:00:00+99:99', '2026-03-01T12:00:00-09:60', '2026-03-01T24:00:00.001Z', '2026-03-01T12:00:00 CET'],
  ...['+002026-03-01T12:00:00Z', '2026-03-01T12:00:00Z\n', ' 2026-03-01T12:00:00Z'],
  ...['10000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '1767225600'],
])('rejects %j', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
  expect(isDateTime(text)).toBe(false);
  expect(normalizeDateTime(text)).toBeUndefined();
  expect(losesDigits(text)).toBe(false);
});

test.each([
  ['2026-03-01T00:30:00+05:45', '2026-02-28T18:45:00.000Z'],
  ['2026-03-01T09:00:00,5-03', '2026-03-01T12:00:00.500Z'],
  ['2024-02-29T23:30:00-23:59', '2024-03-01T23:29:00.000Z'],
  ['2026-03-01T09:00:00-00:00', '2026-03-01T09:00:00.000Z'],
  ['1960-03-01T09:00:00.9999Z', '1960-03-01T09:00:00.999Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['0050-01-01T00:00:00+00:00', '0050-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is %s', (text, normalized) => {
  expect(normalizeDateTime(text)).toBe(normalized);
});

test('every spelling of an instant has one normal form, also far from Greenwich', () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu');
  const [min, max] = [new Date('0001-01-01T00:00:00Z'), new Date('9998-12-31T00:00:00Z')];
  const instants = fc.date({ min, max, noInvalidDate: true });
  const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  const digits = fc.stringMatching(/^\d{0,6}$/);
  fc.assert(
    fc.property(instants, offsets, digits, (instant, offset, lost) => {
      const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
      expect(normalizeDateTime(`${local}${lost}${formatOffset(offset)}`)).toBe(instant.toISOString());
      expect(normalizeDateTime(`${instant.toISOString().slice(0, -1)}${lost}`)).toBe(instant.toISOString());
    }),
  );
});

test('normal forms sort as their instants do', () => {
  const [min, max] = [new Date('0000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];
  const instants = fc.date({ min, max, noInvalidDate: true });
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      const [textOfA = '', textOfB = ''] = [a, b].map((date) => normalizeDateTime(date.toISOString()));
      expect(textOfA < textOfB).toBe(a < b);
    }),
  );
});

test('what an offset leads out of the years 0000 to 9999 is an instant that cannot be written', () => {
  for (const text of ['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01']) {
    expect(parseDateTime(text)).toBeTypeOf('number');
    expect(normalizeDateTime(text)).toBeUndefined();
  }
});

test.each(['America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'])(
  'a date-time without an offset is UTC on a machine in %s, also while its clocks change',
  (zone) => {
    vi.stubEnv('TZ', zone);
    expect(parseDateTime('2026-03-08T02:30:00')).toBe(Date.UTC(2026, 2, 8, 2, 30));
    expect(parseDateTime('2026-03-29T02:30:00')).toBe(Date.UTC(2026, 2, 29, 2, 30));
  },
);

test('loses only digits beyond the millisecond, and does not count zeros', () => {
  expect(losesDigits('2026-03-01T12:00:00.1234Z')).toBe(true);
  for (const text of ['2026-03-01T12:00:00.123000Z', '2026-03-01T12:00:00Z', '2026-03-01T12:00']) {
    expect(losesDigits(text)).toBe(false);
  }
});

function formatOffset(minutes: number): string {
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
