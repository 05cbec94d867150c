import { expect, test } from 'vitest';
import { readReplicaHosts } from './replica-hosts.ts';

test.each([
  ['postgres://ada@db1,db2:5433/memories', {}, ['db1:5432', 'db2:5433']],
  ['postgres://ada@[::1]:5433,DB/memories', { PGPORT: '6432' }, ['[::1]:5433', 'DB:6432']],
  ['postgres://ada@/memories?host=/run/postgresql', {}, ['/run/postgresql:5432']],
  ['postgres://ada@/memories', { PGHOST: '' }, ['localhost:5432']],
  ['postgres://ada@/memories', { PGHOST: 'db1' }, ['db1:5432']],
])('every host of %s is a replica of its own', (source, env, names) => {
  const replicas = readReplicaHosts(source, env);
  expect(replicas.map(({ name }) => name)).toEqual(names);
  for (const { hosts, settings } of replicas) {
    expect([hosts.length, settings.user, settings.database]).toEqual([1, 'ada', 'memories']);
  }
});

test.each([
  ['a host twice', 'postgres://ada@db1,db2,DB1:5432/memories', 'it has a host twice. Remove one of them.'],
  [
    'a choice of hosts',
    'postgres://ada@db1/memories?target_session_attrs=any',
    'its target_session_attrs is not supported. Remove it: every host is read from.',
  ],
  ['a password', 'postgres://ada:hush@db1/memories', /^a password on the command line is visible to other users/],
  ['an unknown parameter', 'postgres://ada@db1/memories?hush=1', /^it has a parameter that is not supported\. /],
  ['a mode of TLS', 'postgres://ada@db1/memories?sslmode=hush', /^its sslmode is not supported\. /],
  [
    'a file without TLS',
    'postgres://ada@db1/memories?sslrootcert=hush',
    /^its sslrootcert has no effect without verification\. /,
  ],
  ['a variable that is not set', 'env:NO_SUCH_URL', /^the environment variable NO_SUCH_URL is not set\. /],
  ['a file that does not exist', 'file:gone', /^the file "gone" does not exist\. /],
  ['a URL in place of a file', 'file:postgres://ada:hush@db1', /^the text after file: is a URL\. /],
])('refuses %s, names --postgres-reads and does not repeat the URL', (_, source, problem) => {
  let error: unknown;
  try {
    readReplicaHosts(source, {});
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ exitCode: 2 });
  const { message } = error as Error;
  expect(message).not.toMatch(/hush|db1/i);
  const begin = 'Failed to read --postgres-reads: ';
  expect(message.slice(0, begin.length)).toBe(begin);
  expect(message.slice(begin.length)).toMatch(problem);
});
