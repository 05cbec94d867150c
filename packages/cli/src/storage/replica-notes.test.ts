import type { PostgresReplicasEvent } from '@memory-read/server/postgres';
import { expect, test } from 'vitest';
import { noteReplicas } from './replica-notes.ts';

const lost = new Error('Failed to use db2:5432: the connection was refused. Check its address.');
const replica = { type: 'replica', name: 'db2:5432', lag: null } as const;
const used = { ...replica, state: 'used', lag: 12.34 } as const;
const lagging = { ...replica, state: 'lagging', lag: 3_214 } as const;

test('each state of a replica has a text and a level', () => {
  const states: [PostgresReplicasEvent & { type: 'replica' }, level: string, text: string][] = [
    [used, 'info', 'Reads use db2:5432.'],
    [lagging, 'warn', 'Reads no longer use db2:5432: it is 3.2 s behind (limit 2 s).'],
    [
      { ...replica, state: 'lagging' },
      'warn',
      'Reads do not use db2:5432: the time for which it is behind is not known.',
    ],
    [
      { ...replica, state: 'unreachable', error: lost },
      'warn',
      'Reads do not use db2:5432: the connection was refused. Check its address.',
    ],
    [{ ...replica, state: 'unreachable' }, 'warn', 'Reads do not use db2:5432: it cannot be reached.'],
    [
      { ...replica, state: 'no-replica' },
      'info',
      'Reads do not use db2:5432: it accepts writes, so it is not a replica.',
    ],
    [
      { ...replica, state: 'other-cluster' },
      'warn',
      'Reads do not use db2:5432: it belongs to another cluster than --postgres. Check --postgres-reads.',
    ],
    [
      { ...replica, state: 'other-timeline' },
      'warn',
      'Reads do not use db2:5432: it follows a primary that was replaced.',
    ],
    [
      { ...replica, state: 'not-permitted' },
      'warn',
      'Reads do not use db2:5432: the user may not read the state of replication. Run GRANT pg_read_all_stats TO ada on the primary.',
    ],
  ];
  const notes = notesOf(states.map(([event]) => event));
  expect(notes.map(({ level, text }) => [level, text])).toEqual(states.map(([, level, text]) => [level, text]));
});

test('the fields name the host, the state, whole milliseconds, and why it is not used', () => {
  expect(notesOf([used, lagging, { ...replica, state: 'unreachable', error: lost }])).toEqual([
    { event: 'replica', level: 'info', host: 'db2:5432', state: 'used', lagMs: 12, text: expect.any(String) },
    {
      ...{ event: 'replica', level: 'warn', host: 'db2:5432', state: 'lagging', lagMs: 3_214 },
      ...{ message: 'it is 3.2 s behind (limit 2 s).', text: expect.any(String) },
    },
    {
      ...{ event: 'replica', level: 'warn', host: 'db2:5432', state: 'unreachable', lagMs: null },
      ...{ message: 'the connection was refused. Check its address.', text: expect.any(String) },
    },
  ]);
});

test('a second host that accepts writes is a warning', () => {
  const first = { ...replica, name: 'db1:5432', state: 'no-replica' } as const;
  const second = { ...replica, state: 'no-replica' } as const;
  const message =
    'it accepts writes, and db1:5432 did too at its last check. If both run, stop the one that is not the primary.';
  expect(notesOf([first, second])).toMatchObject([{ level: 'info' }, { level: 'warn', host: 'db2:5432', message }]);
  const lostFirst = { ...first, state: 'unreachable' } as const;
  expect(notesOf([first, lostFirst, second])).toMatchObject([{}, {}, { level: 'info' }]);
});

test('while the primary cannot be reached, the limit is that of an outage', () => {
  const error = new Error('Failed to use postgres://ada@db1/memories: the connection was lost. Try again.');
  const events: PostgresReplicasEvent[] = [
    { type: 'primary', isReachable: false, error },
    { ...lagging, lag: 60_200 },
    { type: 'primary', isReachable: true },
    lagging,
  ];
  expect(notesOf(events)).toMatchObject([
    {
      ...{ event: 'primary', state: 'unreachable', message: 'the connection was lost. Try again.' },
      text: 'The primary cannot be reached: the connection was lost. Try again. Reads use replicas that are up to 60 s behind.',
    },
    { text: 'Reads do not use db2:5432: it is 60.2 s behind (limit 60 s).' },
    { event: 'primary', state: 'reachable', text: 'The primary can be reached again.' },
    { text: 'Reads do not use db2:5432: it is 3.2 s behind (limit 2 s).' },
  ]);
  expect(notesOf(events.slice(0, 1), { maxOutage: 0, maxLag: 250 })).toMatchObject([
    { text: expect.stringMatching(/ up to 0\.25 s behind\.$/) },
  ]);
});

test('a message stays on one line, and a user is a name of SQL', () => {
  const error = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const user = 'Ada "A"';
  const [broken, coded, forbidden] = notesOf(
    [
      { ...replica, state: 'unreachable', error: new Error('two\nlines\u001b[31m') },
      { ...replica, state: 'unreachable', error },
      { ...replica, state: 'not-permitted' },
    ],
    { user },
  );
  expect(broken?.text).toBe('Reads do not use db2:5432: two\\nlines\\u001b[31m.');
  expect(coded).toMatchObject({ message: 'ECONNREFUSED.' });
  expect(forbidden?.text).toContain('Run GRANT pg_read_all_stats TO "Ada ""A""" on the primary.');
});

function notesOf(events: readonly PostgresReplicasEvent[], options: Partial<Parameters<typeof noteReplicas>[0]> = {}) {
  const notes: Record<string, unknown>[] = [];
  const listener = noteReplicas({
    ...{ user: 'ada', maxLag: 2_000, maxOutage: 60_000, ...options },
    onNote: (event, fields, text) => void notes.push({ event, ...fields, text }),
  });
  for (const event of events) listener(event);
  return notes;
}
