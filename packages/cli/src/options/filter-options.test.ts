import { beforeEach, expect, test, vi } from 'vitest';
import { readTimeRange } from './filter-options.ts';

const now = new Date('2026-11-22T12:30:00Z');

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));

test('selects one day with --since and --until of this day', async () => {
  expect(await readTimeRange({ process, since: '2026-11-01', until: '2026-11-01' }, now)).toEqual({
    since: new Date('2026-10-31T23:00:00Z'),
    until: new Date('2026-11-01T23:00:00Z'),
  });
});

test('uses --time-zone for the range and the process, whatever the case of its letters', async () => {
  expect(await readTimeRange({ process, since: '2026-11-01', timeZone: 'america/new_york' }, now)).toEqual({
    since: new Date('2026-11-01T04:00:00Z'),
    until: undefined,
  });
  expect(new Date('2026-11-01T12:00Z').getHours()).toBe(7);
});

test('selects weekly ranges without overlap or gap when the clock changes', async () => {
  const mondays = ['2026-10-19T07:00Z', '2026-10-26T08:00Z', '2026-11-02T08:00Z'].map((text) => new Date(text));
  for (const [index, monday] of mondays.slice(1).entries()) {
    expect((await readTimeRange({ process, last: '7d' }, monday)).since).toEqual(mondays[index]);
    expect((await readTimeRange({ process, last: '1W' }, monday)).since).toEqual(mondays[index]);
  }
});

test('selects all memories without options', async () => {
  expect(await readTimeRange({ process }, now)).toEqual({});
});

const times = 'Pass one such as 2026-11-01, "2026-11-01 09:00", yesterday or 7d.';
const emptyRange = '--since and --until: the range is empty. Pass a --since that is before --until.';
const noZone = (timeZone: string) =>
  `--time-zone: "${timeZone}" is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.`;

test.each([
  [{ since: 'soon' }, `--since: "soon" is not a time. ${times}`],
  [{ last: '0d' }, '--last: "0d" is not a duration. Pass one such as 12h, 7d or 2w.'],
  [{ last: '2026-11-01' }, '--last: "2026-11-01" is not a duration. Pass one such as 12h, 7d or 2w.'],
  [{ last: '999999999w' }, '--last: "999999999w" is not a duration. Pass one such as 12h, 7d or 2w.'],
  [{ last: '7d', until: 'now' }, '--last: it cannot be combined with --since or --until. Leave one of them out.'],
  [{ since: '2026-11-02', until: '2026-11-01' }, emptyRange],
  [{ since: 'now', until: 'now' }, emptyRange],
  ...['Mars/Olympus', '', '+01:00', 'Europe/Berlin '].map((timeZone) => [{ timeZone }, noZone(timeZone)] as const),
] as const)('rejects %j as wrong usage', async (options, message) => {
  await expect(readTimeRange({ process, ...options }, now)).rejects.toThrow(
    expect.objectContaining({ exitCode: 2, message: `Failed to read ${message}` }),
  );
});
