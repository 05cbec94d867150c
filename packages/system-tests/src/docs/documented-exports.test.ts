import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { entriesOf, publishedPackages } from '../packages/packed-packages.ts';
import { root } from '../repository.ts';

const entries = entriesOf(...publishedPackages);
const options = { ...baseOptions(), types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] };
const program = ts.createProgram(
  entries.map(({ source }) => source),
  options,
);
const checker = program.getTypeChecker();

test.each(entries)('every export of $specifier says what it is', ({ source }) => {
  const file = program.getSourceFile(source);
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

function baseOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.json');
  return ts.parseJsonConfigFileContent(ts.readConfigFile(path, ts.sys.readFile).config, ts.sys, root).options;
}
