import { expect, test } from 'vitest';
import { parsePostgresUrl, postgresPlace } from './postgres-url.ts';

test.each([
  [
    'postgres://ada:hush@db.example:5433/memories?password=hush&sslmode=require',
    'postgres://ada@db.example:5433/memories',
  ],
  ['postgresql://ada:h%40us%23h@127.0.0.1/memories', 'postgres://ada@127.0.0.1/memories'],
  ['postgres://ada:hu@sh@db.example/memories', 'postgres://ada@db.example/memories'],
  ['postgres://db.example', 'postgres://db.example'],
  ['postgres:///memories?host=/run/postgresql', 'postgres:///memories'],
])('%s is told without its password', (url, place) => {
  expect(parsePostgresUrl(url)).toBe(url);
  expect(postgresPlace(url)).toBe(place);
});

test.each([
  '',
  'hush',
  'mysql://ada:hush@db.example/memories',
  'postgres://ada:hu/sh@db.example/memories',
  'postgres://ada:12/hush@db.example/memories',
  'postgres://ada:12?hush@db.example/memories',
  'postgres://ada:hu#sh@db.example/memories',
  'postgres://ada:hush%zz@db.example/memories',
])('%s is refused without repeating it', (url) => {
  let message = '';
  try {
    parsePostgresUrl(url);
  } catch (error) {
    message = String(error);
  }
  expect(message).toMatch(/Failed to read --postgres: .*\. (Pass|Write) /);
  expect(message).not.toMatch(/hu|db\.example/);
});
