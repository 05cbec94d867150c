import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { openApiText } from './documents.ts';

// Types that are assignable in both directions agree in every field, every null and every optional mark. The types
// contain exactly the statuses of the document.
const comparison = `
import type { ErrorBody, ListedMemory, Memory } from '@memory-read/contract';
import type { components, operations, paths } from './memory-read-api.d.ts';
import createClient from 'openapi-fetch';

function same<Ours, Theirs>(_ours: (theirs: Theirs) => Ours, _theirs: (ours: Ours) => Theirs): void {}
type Schemas = components['schemas'];
same<Memory, Schemas['Memory']>((it) => it, (it) => it);
same<ListedMemory, Schemas['ListedMemory']>((it) => it, (it) => it);
same<ErrorBody, Schemas['ErrorBody']>((it) => it, (it) => it);
type Answers = operations['getMemory']['responses'];
export const statuses = { 200: '', 401: '', 404: '', 422: '', 500: '' } satisfies Record<keyof Answers, string>;

const { data = [] } = await createClient<paths>().GET('/v1/memories');
// @ts-expect-error It is there, but hidden from the types. When this is an error no more, the guide has to say so.
void data[0]?.transcript;
`;

const drifts: Record<string, (document: string) => string> = {
  current: (text) => text,
  transcriptIsNeverNull: (text) => dropNull(text, 'Transcript'),
  summaryIsNeverNull: (text) => dropNull(text, 'Summary'),
  audioIsNeverNull: (text) => text.replace(/("audio_url": \{\s*"type": )\[[^\]]+\]/, '$1"string"'),
  listHasTranscripts: (text) => text.replace('"type": "null"', '"$ref": "#/components/schemas/Transcript"'),
  nameIsOptional: (text) => text.replace(/"name",\s*"started_at"/, '"started_at"'),
  durationIsText: (text) => text.replace('"type": "integer"', '"type": "string"'),
  detailIsRenamed: (text) => text.replaceAll('"detail"', '"message"'),
  malformedIsUnknown: (text) => text.replace('"422":', '"423":'),
};

test('our types, the example of the guide and the judged client agree with the types of openapi-typescript, and a changed document does not', async () => {
  const examples = join(root, 'docs/code');
  const clients = [
    join(examples, 'openapi-fetch.ts'),
    join(root, 'packages/integration-tests/src/judge/generated-client.ts'),
  ];
  const files = new Map<string, string>();
  for (const [name, change] of Object.entries(drifts)) {
    expect(change(openApiText) !== openApiText, `${name} changes the document`).toBe(name !== 'current');
    files.set(join(examples, name, 'memory-read-api.d.ts'), astToString(await openapiTS(change(openApiText))));
    files.set(join(examples, name, 'comparison.ts'), comparison);
  }
  for (const path of clients) files.set(join(examples, 'current', basename(path)), readFileSync(path, 'utf8'));
  const broken = new Set(errorsIn(files).map(({ file }) => file?.fileName.split('/').at(-2)));
  expect(Object.keys(drifts).filter((name) => !broken.has(name))).toEqual(['current']);
});

test('the guide shows the installed versions', () => {
  const guide = readFileSync(join(root, 'docs/guides/openapi-and-other-languages.md'), 'utf8');
  const { devDependencies: versions } = JSON.parse(
    readFileSync(join(root, 'packages/integration-tests/package.json'), 'utf8'),
  );
  expect(guide).toContain(`npx openapi-typescript@${versions['openapi-typescript']} `);
  expect(versions['openapi-fetch']).toMatch(new RegExp(`^${/openapi-fetch ([\d.]+) /.exec(guide)?.[1]}\\.`));
});

/** Compiles files that exist only in memory, with the settings of the repository. */
function errorsIn(files: ReadonlyMap<string, string>): readonly ts.Diagnostic[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const folders = new Set(Array.from(files.keys(), (path) => join(path, '..')));
  host.directoryExists = (path) => folders.has(path) || ts.sys.directoryExists(path);
  return ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
}

/** The document in which a component and its uses are always objects. */
function dropNull(text: string, component: string): string {
  const document = JSON.parse(text);
  const { [component]: schema, Memory: memory } = document.components.schemas;
  schema.type = 'object';
  memory.properties[component.toLowerCase()].type = 'object';
  return JSON.stringify(document);
}
