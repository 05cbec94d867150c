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
  const path = join(root, entry);
  const program = ts.createProgram([path], { ...baseOptions(), types: [] });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const exported = module && checker.getExportsOfModule(module).find(({ name }) => name === 'EdgeCases');
  if (!exported) throw new Error(`Failed to read the edge cases: ${entry} exports no type EdgeCases.`);
  const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target)).map((property) => ({
    name: property.name,
    sentence: ts.displayPartsToString(property.getDocumentationComment(checker)).trim(),
    file: basename(property.declarations?.[0]?.getSourceFile().fileName ?? ''),
  }));
}

function baseOptions(): ts.CompilerOptions {
  const path = join(root, 'tsconfig.json');
  return ts.parseJsonConfigFileContent(ts.readConfigFile(path, ts.sys.readFile).config, ts.sys, root).options;
}
