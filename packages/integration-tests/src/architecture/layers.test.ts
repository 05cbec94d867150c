import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { allTypeScriptFiles, isTest, type SourceFile, sourceFiles } from './source-files.ts';

const sources = sourceFiles().filter((file) => !isTest(file));

test('ports hold interfaces only', () => {
  const withCode = sources
    .filter(({ path }) => path.includes('/ports/'))
    .filter(({ path, text }) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements.some(isRuntime))
    .map(({ path }) => `${path}: move what runs out of ports/`);
  expect(withCode).toEqual([]);
});

test('no imports run in a circle, type imports included', () => {
  const graph = new Map(allTypeScriptFiles().map((file) => [file.path, importedFiles(file)]));
  for (let before = 0; before !== graph.size; ) {
    before = graph.size;
    // A file that imports no file of the rest is in no circle.
    for (const [path, imported] of graph) if (!imported.some((target) => graph.has(target))) graph.delete(path);
  }
  expect(graph).toEqual(new Map());
});

test('a folder is named for the role of what it holds', () => {
  const bins = /\/(utils?|helpers?|common|shared|misc|lib)(\/|\.ts$)/;
  expect(sources.map(({ path }) => path).filter((path) => bins.test(path))).toEqual([]);
});

test('no file is longer than 400 lines of code', () => {
  const long = sources
    .filter(({ path }) => !path.includes('/media/sample-'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').filter((line) => /^\s*[^\s/*]/.test(line)).length }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

test('no decision about an error depends on its realm or on the copy of its class', () => {
  const offenders = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line) => (/^(?!\s*(\*|\/\/)).*instanceof \w*Error\b/.test(line) ? [`${path}: ${line}`] : [])),
  );
  expect(offenders, 'look at name, code and message').toEqual([]);
});

test('time and chance are passed in', () => {
  const defaults = /\w+: \(\)(: Date)? => (new Date\(Date\.now\(\)\)|Math\.random\(\))( \};|,)$/;
  const ambient = /\b(Date\.now|new Date|Math\.random)\(\)/;
  const offenders = sources
    .filter(({ path }) => !path.startsWith('cli/'))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => ambient.test(line) && !defaults.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(offenders, 'take a clock or a source of chance as an argument').toEqual([]);
});

function isRuntime(statement: ts.Statement): boolean {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return false;
  if (ts.isImportDeclaration(statement)) return statement.importClause?.isTypeOnly !== true;
  return true;
}

function importedFiles(file: SourceFile): string[] {
  return file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(file.path, '..', specifier));
}
