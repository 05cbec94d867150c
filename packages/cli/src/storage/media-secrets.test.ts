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
  const secrets = ['new', 'old'].map((secret, id) => ({ id: `${id}`, secret }));
  writeFileSync(path, JSON.stringify(secrets));
  expect(readMediaSecrets(`file:${path}`, {})).toEqual(secrets);
});

test.each([
  ['[]', 'the array is empty. Write at least one { "id": string, "secret": string }.'],
  ...['no JSON but hush', '{"id":"1","secret":"hush"}', '[{"id":1,"secret":"hush"}]', '[null]'].map((text) => [
    text,
    'it is not a JSON array of { "id": string, "secret": string }. Write a JSON array.',
  ]),
])('refuses a file with %s, without repeating it', (text = '', problem) => {
  const path = join(temporaryDirectory(), 'secrets.json');
  writeFileSync(path, text);
  const message = `Failed to read media secrets from ${JSON.stringify(`file:${path}`)}: ${problem}`;
  expect(() => readMediaSecrets(`file:${path}`, {})).toThrow(expect.objectContaining({ message }));
});

test.each([
  ['env:NO_SUCH_SECRETS', /the environment variable NO_SUCH_SECRETS is not set\./],
  ['file:/no/such', /from "file:\/no\/such": the file does not exist\./],
  ['file:/', /from "file:\/": it cannot be read \(EISDIR\)\./],
  ...['env:[{"id":"1","secret":"hush"}]', 'env:hush-hush', 'file:{"secret":"hush"}', 'file:["hush"]'].map(
    (source): [string, RegExp] => [source, /^Failed to read /],
  ),
])('rejects %j, and does not repeat a secret', (source, message) => {
  expect(() => readMediaSecrets(source, {})).toThrow(message);
  expect(() => readMediaSecrets(source, {})).not.toThrow(/hush/);
});
