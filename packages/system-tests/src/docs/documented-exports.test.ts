import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from '../repository.ts';

const entries = ['contract', 'client', 'server', 'fixtures', 'msw', 'conformance'].flatMap((name) =>
  entriesOf(join('packages', name)),
);
const program = ts.createProgram(
  entries.map((entry) => join(root, entry)),
  { ...baseOptions(), types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] },
);
const checker = program.getTypeChecker();

test.each(entries)('every export of %s says what it is', (entry) => {
  const file = program.getSourceFile(join(root, entry));
  const module = file && checker.getSymbolAtLocation(file);
  const exported = module ? checker.getExportsOfModule(module) : [];
  expect(exported.length).toBeGreaterThan(0);
  const silent = exported.filter((symbol) => documentationOf(symbol) === '');
  expect(silent.map(({ name }) => name)).toEqual([]);
});

function documentationOf(symbol: ts.Symbol): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return ts.displayPartsToString(target.getDocumentationComment(checker)).trim();
}

function entriesOf(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    exports: Record<string, { '@memory-read/source'?: string } | string>;
  };
  return Object.values(exports).flatMap((entry) => {
    const source = typeof entry === 'object' ? entry['@memory-read/source'] : undefined;
    return source === undefined ? [] : join(folder, source);
  });
}

function baseOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.base.json');
  return ts.parseJsonConfigFileContent(ts.readConfigFile(path, ts.sys.readFile).config, ts.sys, root).options;
}
