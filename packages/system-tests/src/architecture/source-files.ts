import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../repository.ts';

/** A module specifier of an import or export, and whether it is gone at run time. */
export interface Import {
  specifier: string;
  isTypeOnly: boolean;
}

export interface SourceFile {
  /** Below `packages`, such as `client/src/index.ts`. */
  path: string;
  text: string;
  imports: Import[];
}

/** The TypeScript sources of all packages, also those that are not committed yet. */
export function sourceFiles(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'packages/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n').filter((path) => /\/src\/.*\.ts$/.test(path)))].map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path: path.replace(/^packages\//, ''), text, imports: importsOf(path, text) };
  });
}

/** Whether a file is never published: a test, what only tests of its package use, or a private package. */
export function isTest({ path }: SourceFile): boolean {
  return /\.test(-d|-support)?\.ts$|^(cli|client)\/src\/testing\/|^(benchmarks|system-tests|test-kit|docs-site)\//.test(
    path,
  );
}

function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      imports.push({ specifier: textOf(node.moduleSpecifier), isTypeOnly: isErasedImport(node) });
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      imports.push({ specifier: textOf(node.moduleSpecifier), isTypeOnly: isErasedExport(node) });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0]) {
      imports.push({ specifier: textOf(node.arguments[0]), isTypeOnly: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return imports;
}

function textOf(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? node.text : '';
}

function isErasedImport({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  if (name !== undefined || namedBindings === undefined || ts.isNamespaceImport(namedBindings)) return false;
  return namedBindings.elements.every((element) => element.isTypeOnly);
}

function isErasedExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true;
  if (exportClause === undefined || ts.isNamespaceExport(exportClause)) return false;
  return exportClause.elements.every((element) => element.isTypeOnly);
}
