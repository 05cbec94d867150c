import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const path = (name: string) => join(import.meta.dirname, name);
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  skipDefaultLibCheck: true,
  lib: ['lib.es2022.d.ts'],
  types: [],
};
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Returns the files with compiler errors after one text in one of them was replaced. */
function filesWithErrors(file: string, before: string, after: string): string[] {
  const changed = readFileSync(path(file), 'utf8').replace(before, after);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, readFile } = host;
  host.readFile = (name) => (name === path(file) ? changed : readFile(name));
  host.getSourceFile = (name, ...rest) => {
    if (!name.includes('/typescript/lib/')) return getSourceFile.call(host, name, ...rest);
    if (!libraries.has(name)) libraries.set(name, getSourceFile.call(host, name, ...rest));
    return libraries.get(name);
  };
  const program = ts.createProgram([path('fields-proof.ts')], options, host);
  return [...new Set(ts.getPreEmitDiagnostics(program).map((found) => basename(found.file?.fileName ?? '')))];
}

test('the rows and the interfaces agree', () => {
  expect(filesWithErrors('fields.ts', '', '')).toEqual([]);
});

test.each([
  ['a field without a property', 'fields.ts', '  name: {', "  title: { type: 'string', from: 'record' },\n  name: {"],
  ['a property without a field', 'memory.ts', '  name: string;', '  name: string;\n  title: string;'],
  ['another type', 'fields.ts', "duration_seconds: { type: 'integer'", "duration_seconds: { type: 'string'"],
  [
    'null in the rows only',
    'fields.ts',
    "ended_at: { type: 'date-time'",
    "ended_at: { nullable: true, type: 'date-time'",
  ],
  ['null in the interface only', 'memory.ts', '  ended_at: string;', '  ended_at: string | null;'],
  ['an optional property', 'memory.ts', '  user_id: string;', '  user_id?: string;'],
  ['a property that cannot be written', 'memory.ts', '  user_id: string;', '  readonly user_id: string;'],
  ['a part without a property', 'memory.ts', '  quick_summary: string;', ''],
])('it does not compile: %s', (_title, file, before, after) => {
  expect(filesWithErrors(file, before, after)).toEqual(['fields-proof.ts']);
});

test.each([
  ['a later field that is never null', "  mood: { type: 'string', from: 'record', addedIn: '0.2.0' },"],
  ['a type that does not exist', "  mood: { type: 'colour', nullable: true, from: 'record', addedIn: '0.2.0' },"],
])('a row does not compile: %s', (_title, row) => {
  expect(filesWithErrors('fields.ts', '  name: {', `${row}\n  name: {`)).toContain('fields.ts');
});
