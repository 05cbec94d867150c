import { basename, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import ts from 'typescript';

/** An edge case as an editor shows it. */
export interface ShownEdgeCase {
  name: string;
  /** The comment of the property, which is what the editor shows. */
  sentence: string;
  /** Name of the file that declares it, such as `time-cases.ts`. */
  file: string;
}

/** Returns the properties of `edgeCases` in the types of the entry of a package, in their order. */
export function readEdgeCases(entry: string): ShownEdgeCase[] {
  const { checker, exported } = exportsOf([entry]);
  const type = exported.find(({ name }) => name === 'EdgeCases');
  if (!type) throw new Error(`Failed to read the edge cases: ${entry} exports no type EdgeCases.`);
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(type)).map((property) => ({
    name: property.name,
    sentence: ts.displayPartsToString(property.getDocumentationComment(checker)).trim(),
    file: basename(property.declarations?.[0]?.getSourceFile().fileName ?? ''),
  }));
}

/** Returns what these files of the repository export, and the checker that describes it. */
export function exportsOf(files: readonly string[]): { checker: ts.TypeChecker; exported: ts.Symbol[] } {
  const paths = files.map((file) => join(root, file));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const program = ts.createProgram(paths, ts.parseJsonConfigFileContent(config, ts.sys, root).options);
  const checker = program.getTypeChecker();
  const modules = paths.flatMap((path) => checker.getSymbolAtLocation(program.getSourceFile(path) as ts.Node) ?? []);
  const exported = modules
    .flatMap((module) => checker.getExportsOfModule(module))
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  return { checker, exported };
}
