import { userInfo } from 'node:os';
import { expect, test, vi } from 'vitest';
import { parsePostgresUrl } from './postgres-url.ts';

vi.mock(import('node:os'), { spy: true });

test.each([
  ['postgres://ada:hush@db.example:5433/memories?password=hush', 'postgres://ada@db.example:5433/memories'],
  ['postgresql://ada:h%40us%23h@127.0.0.1/memories', 'postgres://ada@127.0.0.1/memories'],
  ['postgres://ada:hu@sh@db.example/memories', 'postgres://ada@db.example/memories'],
  ['postgres://ada:hu,sh@db1,db2:5433/memories', 'postgres://ada@db1,db2:5433/memories'],
  ['postgres://ada:hu:sh@[::1]:5433,[::2]/memories', 'postgres://ada@[::1]:5433,[::2]/memories'],
  ['postgres://db.example', 'postgres://db.example'],
  ['postgres:///memories?host=/run/postgresql', 'postgres:///memories?host=/run/postgresql'],
  ['postgres:///memories?password=hush&port=5433&user=a%40da', 'postgres://a%40da@/memories?port=5433'],
  ['postgres://eve:hush@/memories?host=db.example&user=ada', 'postgres://ada@/memories?host=db.example'],
  ['postgres:///memories?host=/a%20b%26c&options=hush', 'postgres:///memories?host=/a%20b%26c'],
  ['postgres://db.example/memories?user=ada&application_name=hush', 'postgres://ada@db.example/memories'],
])('%s is named with its user and host, and without its password and other parameters', (url, name) => {
  expect(parsePostgresUrl(url, {}).name).toBe(name);
});

test.each([
  ['db1:5433,db2', ['db1:5433', 'db2:']],
  ['[::1]:5433,127.0.0.1', ['::1:5433', '127.0.0.1:']],
  ['%2Frun%2Fpostgresql', ['/run/postgresql:']],
  ['/memories?host=/run/postgresql&port=5433', ['/run/postgresql:5433']],
  ['', [':']],
])('has the hosts of %s in order', (rest, expected) => {
  const { hosts } = parsePostgresUrl(`postgres://${rest}`, {});
  expect(hosts.map(({ host = '', port = '' }) => `${host}:${port}`)).toEqual(expected);
});

test('decodes the fields, and takes every parameter that it supports', () => {
  const query = 'application_name=api&options=-c%20search_path%3Da&target_session_attrs=read-write&sslmode=no-verify';
  expect(parsePostgresUrl(`postgres://a%40da:h%2Fush@db/mem%20ories?${query}`, {})).toMatchObject({
    mustBeWritable: true,
    settings: {
      user: 'a@da',
      password: 'h/ush',
      database: 'mem ories',
      options: '-c search_path=a',
      application_name: 'api',
      ssl: { rejectUnauthorized: false },
    },
  });
  expect(parsePostgresUrl('postgres:///m?user=ada&password=hush', {}).settings).toMatchObject({
    user: 'ada',
    password: 'hush',
    application_name: 'memory-read',
    ssl: false,
  });
  expect(parsePostgresUrl('postgres://db?target_session_attrs=any', {}).mustBeWritable).toBe(false);
});

test.each(['require', 'verify-ca', 'verify-full'])(
  'sslmode=%s verifies the server, whatever the environment says',
  (mode) => {
    expect(parsePostgresUrl(`postgres://db?sslmode=${mode}`, {}).settings.ssl).toEqual({ rejectUnauthorized: true });
    const env = { PGSSLMODE: mode };
    expect(parsePostgresUrl('postgres://db', env).settings.ssl).toEqual({ rejectUnauthorized: true });
    expect(parsePostgresUrl('postgres://db?sslmode=disable', env).settings.ssl).toBe(false);
  },
);

test('an unknown PGSSLMODE is not ignored', () => {
  const parse = () => parsePostgresUrl('postgres://db', { PGSSLMODE: 'hush' });
  expect(parse).toThrow(
    /^Failed to read PGSSLMODE: it is not supported\. Use disable, require, verify-ca, verify-full or no-verify\.$/,
  );
  expect(parse).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test.each([
  '',
  'hush',
  'host=db.example password=hush',
  'mysql://ada:hush@db.example/memories',
  'postgres:ada:hush@db.example',
  'postgres://ada:hu/sh@db.example/memories',
  'postgres://ada:12/hush@db.example/memories',
  'postgres://ada:12?hush@db.example/memories',
  'postgres://ada:hu#sh@db.example/memories',
  'postgres://ada:hush%zz@db.example/memories',
  'postgres://ada:hu sh@db.example/memories',
  'postgres://ada:hu\nsh@db.example/memories',
  'postgres://ada:hush@db.example/memories\u0000',
  'postgres://ada%00options%00hush:hush@db.example/memories',
  'postgres://ada:hush@db.example:0/memories',
  'postgres://ada:hush@db.example:65536/memories',
  'postgres://ada:hush@db.example:hush/memories',
  'postgres://ada:hush@db.example,,db.example/memories',
  'postgres://ada:hush@db.example,/memories',
  'postgres://ada:hush@db.example:1:hush/memories',
  'postgres://ada:hush@[::hush]/memories',
  'postgres://ada:hush@db^hush/memories',
  'postgres://db.example/memories?hush',
  'postgres://db.example/memories?hush=1',
  'postgres://db.example/memories?ssl=hush',
  'postgres://db.example/memories?uselibpqcompat=true&sslmode=require',
  'postgres://db.example/memories?__proto__=hush',
  'postgres://db.example/memories?sslmode=hush',
  'postgres://db.example/memories?sslmode=',
  'postgres://db.example/memories?sslmode=prefer',
  'postgres://db.example/memories?sslmode=Require',
  'postgres://db.example/memories?sslmode=require&sslmode=disable',
  'postgres://db.example/memories?password=hush&password=hush',
  'postgres://db.example/memories?target_session_attrs=hush',
  'postgres://db.example/memories?target_session_attrs=standby',
  'postgres://db.example/memories?host=hush',
  'postgres:///memories?host=hush,db.example',
  'postgres:///memories?port=hush',
  'postgres:///memories?port=65536',
  'postgres://db.example/memories?sslrootcert=hush.pem',
  'postgres://db.example/memories?sslmode=no-verify&sslrootcert=hush.pem',
  'postgres://db.example/memories?sslmode=require&sslrootcert=hush.pem',
  `postgres://db.example/memories?sslmode=require&sslrootcert=${encodeURIComponent(import.meta.filename)}`,
  'postgres://db.example/memories?sslmode=require&sslcert=hush.pem',
  'postgres://db.example/memories?sslcert=hush.pem&sslkey=hush.pem',
  'postgres://db.example/memories?sslmode=require&sslcert=hush.pem&sslkey=hush.pem',
])('%j is refused without repeating it', (url) => {
  let error: unknown;
  try {
    parsePostgresUrl(url, {});
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ exitCode: 2 });
  expect(String(error)).toMatch(/Failed to read --postgres: .*\. (Pass|Write|Use|Add|Check|Remove) /);
  expect(String(error)).not.toMatch(/hu|db\.example/);
});

test('a URL without a user has the one of PGUSER, else the user of the system, as with the tools of PostgreSQL', () => {
  const env = { USER: '', PGUSER: '' };
  expect(parsePostgresUrl('postgres://db/memories', env).settings.user).toBe(userInfo().username);
  env.PGUSER = 'ada';
  expect(parsePostgresUrl('postgres://db/memories', env).settings.user).toBe('ada');
  expect(parsePostgresUrl('postgres://eve@db/memories', env).settings.user).toBe('eve');
});

test.each(['postgres://db/memories', 'postgres://@db?user=', 'postgres:///memories?host=/run/postgresql'])(
  'without a name of the user in the system, %s has that of PGUSER or USER, else it is refused',
  (url) => {
    vi.mocked(userInfo).mockImplementation(() => {
      throw new Error('ENOENT');
    });
    const parse = (env: NodeJS.ProcessEnv) => parsePostgresUrl(url, env).settings.user;
    expect([parse({ PGUSER: 'ada', USER: 'eve' }), parse({ USER: 'eve' })]).toEqual(['ada', 'eve']);
    for (const env of [{}, { PGUSER: '', USER: '' }]) {
      expect(() => parse(env)).toThrow(
        /^Failed to read --postgres: it has no user, and your user of the system has no name\. Write USER@ before the host\.$/,
      );
    }
  },
);
