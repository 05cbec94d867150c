import { expect, test } from 'vitest';
import { createKeyCommand } from './create-key-command.ts';

test.each([
  ['memories.sqlite', 'memories.sqlite'],
  ['/var/lib/memory-read/a.sqlite', '/var/lib/memory-read/a.sqlite'],
  ['my files/$HOME.sqlite', "'my files/$HOME.sqlite'"],
  ["ada's.sqlite", "'ada'\\''s.sqlite'"],
  ['~/a.sqlite', "'~/a.sqlite'"],
])('names the file %s as a shell reads it', (db, quoted) => {
  expect(createKeyCommand({ db }, 'npx @memory-read/cli')).toBe(
    `npx @memory-read/cli keys create --account USER_ID --db ${quoted}`,
  );
});

test('does not repeat the URL of a database', () => {
  expect(createKeyCommand({ db: 'x', postgres: 'postgres://ada:hush@db/memories' }, 'memory-read')).toBe(
    'memory-read keys create --account USER_ID --postgres URL',
  );
});
