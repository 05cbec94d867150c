import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { openMediaSecrets, readMediaSecrets } from './media-secrets.ts';

test('creates a secret once and uses it again', () => {
  const db = join(temporaryDirectory(), 'memories.sqlite');
  const [first] = openMediaSecrets(db);
  expect(first?.secret).toMatch(/^[\w-]{43}$/);
  expect(openMediaSecrets(db)).toEqual([first]);
  expect(JSON.parse(readFileSync(`${db}.media-secrets.json`, 'utf8'))).toEqual([first]);
});

test('replaces an empty file, because no URL was signed with it', () => {
  const directory = temporaryDirectory();
  const db = join(directory, 'memories.sqlite');
  const path = `${db}.media-secrets.json`;
  writeFileSync(path, '');
  const secrets = openMediaSecrets(db);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(secrets);
  expect(readdirSync(directory)).toEqual(['memories.sqlite.media-secrets.json']);
});

test('fails if no file can be created at the path', () => {
  const db = join(temporaryDirectory(), 'memories.sqlite');
  symlinkSync('gone', `${db}.media-secrets.json`);
  expect(() => openMediaSecrets(db)).toThrow(/it can be neither read nor created\./);
});

test('reads the secrets of a given file', () => {
  const path = join(temporaryDirectory(), 'secrets.json');
  const secrets = [
    { id: '2', secret: 'new' },
    { id: '1', secret: 'old' },
  ];
  writeFileSync(path, JSON.stringify(secrets));
  expect(readMediaSecrets(`file:${path}`, {})).toEqual(secrets);
});

test.each(['no JSON but hush', '{"id":"1","secret":"hush"}', '[{"id":1,"secret":"hush"}]', '[null]'])(
  'refuses a file with %s, without repeating it',
  (text) => {
    const path = join(temporaryDirectory(), 'secrets.json');
    writeFileSync(path, text);
    const read = () => readMediaSecrets(`file:${path}`, {});
    expect(read).toThrow(/^Failed to read media secrets from "file:.* Write a JSON array\.$/);
    expect(read).not.toThrow(/hush/);
  },
);

test('names a variable or a file that is missing', () => {
  expect(() => readMediaSecrets('env:NO_SUCH_SECRETS', {})).toThrow(
    /the environment variable NO_SUCH_SECRETS is not set\./,
  );
  expect(() => readMediaSecrets('file:/no/such', {})).toThrow(/from "file:\/no\/such": the file does not exist\./);
  expect(() => readMediaSecrets('file:/', {})).toThrow(/from "file:\/": it cannot be read \(EISDIR\)\./);
});

test.each([
  ...['env:[{"id":"1","secret":"hush"}]', 'env:hush-hush', 'env:1hush', 'env:hush\n', 'file:{"secret":"hush"}'],
  'file:["hush"]',
])('does not repeat the secret of %j', (source) => {
  expect(() => readMediaSecrets(source, {})).toThrow(/^Failed to read /);
  expect(() => readMediaSecrets(source, {})).not.toThrow(/hush/);
});

test('rejects text after env: that is not the name of a variable as wrong usage', () => {
  expect(() => readMediaSecrets('env:[]', {})).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test('rejects an empty array', () => {
  const path = join(temporaryDirectory(), 'secrets.json');
  writeFileSync(path, '[]');
  expect(() => readMediaSecrets(`file:${path}`, {})).toThrow(/the array is empty\. Write at least one /);
});
