import { expect, test } from 'vitest';
import { createKeyCommand } from './create-key-command.ts';
import { readPostgresSource } from './postgres-source.ts';

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

test.each([
  ['postgres://ada@db/memories', 'URL'],
  ['env:DATABASE_URL', 'env:DATABASE_URL'],
])('names the database of %s without its URL', (source, quoted) => {
  const env = { DATABASE_URL: 'postgres://ada:hush@db/memories' };
  expect(createKeyCommand({ db: 'x', postgres: readPostgresSource(source, env) }, 'memory-read')).toBe(
    `memory-read keys create --account USER_ID --postgres ${quoted}`,
  );
});
