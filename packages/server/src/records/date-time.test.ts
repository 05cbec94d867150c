import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normalizeDateTime } from './date-time.ts';

const zoneOfTheMachine = process.env.TZ;
beforeAll(() => setZone('Asia/Kathmandu'));
afterAll(() => setZone(zoneOfTheMachine));

test.each([
  ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00:00', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00:00.1', '2026-03-01T09:00:00.100Z'],
  ['2026-03-01T09:00:00.1239999999Z', '2026-03-01T09:00:00.123Z'],
  ['1960-03-01T09:00:00.9999Z', '1960-03-01T09:00:00.999Z'],
  ['2026-03-01T00:30:00+05:45', '2026-02-28T18:45:00.000Z'],
  ['2026-03-01T00:30+0545', '2026-02-28T18:45:00.000Z'],
  ['2026-03-01T09:00:00,5-03', '2026-03-01T12:00:00.500Z'],
  ['2024-02-29T23:30:00-23:59', '2024-03-01T23:29:00.000Z'],
  ['2026-03-01T09:00:00-00:00', '2026-03-01T09:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['0050-01-01T00:00:00+00:00', '0050-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is %s', (dateTime, normalized) => {
  expect(normalizeDateTime(dateTime)).toBe(normalized);
});

test.each([
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '10000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-03-01',
  '2026-03-01 09:00:00Z',
  '1767225600',
  'yesterday',
  '',
])('%j has no normal form', (dateTime) => {
  expect(normalizeDateTime(dateTime)).toBeUndefined();
});

test('every spelling of an instant has one normal form, also far from Greenwich', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
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
  const dateTimes = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dateTimes, dateTimes, (a, b) => {
      const [textOfA = '', textOfB = ''] = [a, b].map((date) => normalizeDateTime(date.toISOString()));
      expect(textOfA < textOfB).toBe(a < b);
    }),
  );
});

function formatOffset(minutes: number): string {
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function setZone(zone: string | undefined): void {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
}

test.each(['2026-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '2026-13-01T00:00:00.000Z'])(
  '%s, which no calendar has, is not taken for normal as it is',
  (text) => {
    expect(normalizeDateTime(text)).not.toBe(text);
  },
);
