import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import ts from 'typescript';
import { entriesOf } from '../packed-packages.ts';

/** The packages with a TypeScript interface. */
export const reportedPackages = ['contract', 'client', 'server', 'fixtures', 'msw', 'conformance', 'mirror', 'mcp'];

/** Returns the exports of each built entry without comments, and the types that they mention without exporting them. */
export function renderApiReport(name: string): string {
  const entries = entriesOf(name);
  const folder = join(root, 'packages', name, 'dist');
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true, types: ['node'] },
  );
  const sections = entries.map(({ specifier, types }) =>
    [`## ${specifier}`, '', '```ts', ...declarationsOf(program, types, folder), '```'].join('\n'),
  );
  return `${[`# API report: @memory-read/${name}`, introduction, ...sections].join('\n\n')}\n`;
}

const introduction = `What a user of the built package can write. It is not edited by hand and not shipped; \`npm run generate\` writes it.`;

function declarationsOf(program: ts.Program, entry: string, folder: string): string[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`Failed to report on ${entry}: it is not built. Run npm run build.`);
  const isOwn = (symbol: ts.Symbol) =>
    symbol.declarations?.some((declaration) => declaration.getSourceFile().fileName.startsWith(folder)) ?? false;
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [target(symbol, checker), symbol.name]));
  const mentioned = new Set([...exported.keys()].filter(isOwn));
  for (const symbol of mentioned)
    for (const other of symbolsIn(symbol, checker)) if (isOwn(other) && isTopLevel(other)) mentioned.add(other);

  const own = [...exported].filter(([symbol]) => isOwn(symbol)).sort(byName);
  const strangers = [...exported].filter(([symbol]) => !isOwn(symbol)).sort(byName);
  const hidden = [...mentioned].filter((symbol) => !exported.has(symbol));
  return [
    ...strangers.map(([symbol, name]) => `export { ${name} } from '${packageOf(symbol)}';`),
    ...own.flatMap(([symbol, name]) => [
      ...print(symbol),
      ...(symbol.name === name ? [] : [`export { ${symbol.name} as ${name} };`]),
    ]),
    ...(hidden.length > 0 ? ['// Mentioned above, and no exports:'] : []),
    ...hidden.flatMap(print).sort(),
  ];
}

function target(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function symbolsIn({ declarations = [] }: ts.Symbol, checker: ts.TypeChecker): Set<ts.Symbol> {
  const found = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol) found.add(target(symbol, checker));
    ts.forEachChild(node, visit);
  };
  declarations.forEach(visit);
  return found;
}

function isTopLevel({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => ts.isSourceFile(statementOf(declaration).parent));
}

/** For a variable, returns the whole statement. */
function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

const printer = ts.createPrinter({ removeComments: true });

function print({ declarations = [] }: ts.Symbol): string[] {
  return declarations.map((declaration) =>
    printer
      .printNode(ts.EmitHint.Unspecified, statementOf(declaration), declaration.getSourceFile())
      .replaceAll('    ', '  '),
  );
}

function packageOf({ declarations = [] }: ts.Symbol): string {
  const path = declarations[0]?.getSourceFile().fileName ?? '';
  const [, own] = /\/packages\/([\w-]+)\/dist\//.exec(path) ?? [];
  return own === undefined ? (path.split('/node_modules/').at(-1) ?? path) : `@memory-read/${own}`;
}

function byName([, first]: [ts.Symbol, string], [, second]: [ts.Symbol, string]): number {
  return first < second ? -1 : 1;
}
