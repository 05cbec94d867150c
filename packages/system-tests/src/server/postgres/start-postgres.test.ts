import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';

test('the server runs outside of the repository, which its user may be unable to enter, and never as root', async () => {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  await client.end();
  const data: string = rows[0]?.data_directory;
  expect(relative(root, data)).toMatch(/^\.\./);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  const user = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
  const program = join(dirname(data), 'native', 'bin', 'postgres');
  expect([data, program].map((path) => statSync(path).uid)).toEqual([user, user]);
});
