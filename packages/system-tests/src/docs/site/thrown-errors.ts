import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import ts from 'typescript';

/** The errors of a function or a method. */
export interface ThrownErrors {
  /** Name, such as `MemoryClient.getMemory`. */
  name: string;
  /** Names of its errors, sorted. */
  errors: string[];
}

/** Returns the contents of the `@throws` tags of exported functions and of public members, for these packages. */
export function errorsInComments(packages: readonly string[]): ThrownErrors[] {
  const patterns = packages.map((name) => `packages/${name}/src/**/*.ts`);
  const paths = globSync(patterns, { cwd: root, exclude: ['**/*.test*.ts'] });
  return paths.flatMap((path) => {
    const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
    return file.statements
      .filter(isExported)
      .flatMap((statement) => [statement, ...membersOf(statement)].flatMap(errorsOf));
  });
}

/** Returns the errors that the site lists under "Throws" and links; undefined if it has no page for this name. */
export function errorsOnSite(folder: string, name: string): string[] | undefined {
  const [owner = '', member] = name.split('.');
  const [page] = globSync(`{functions,classes,interfaces}/*.${owner}.html`, { cwd: folder });
  if (page === undefined) return undefined;
  const text = readFileSync(join(folder, page), 'utf8');
  const anchor = new RegExp(`^<h3 [^>]*id="${member}"`, 'i');
  const sections = text.split('<section class="tsd-panel tsd-member">').map((section) => section.trimStart());
  const shown = member === undefined ? text : sections.find((section) => anchor.test(section));
  const lists = (shown ?? '').match(/<div class="tsd-tag-throws">[\s\S]*?<\/div>/g) ?? [];
  return Array.from(lists.join('').matchAll(/<a href="[^"]+"[^>]*>(\w*Error)<\/a>/g), ([, error = '']) => error).sort();
}

function errorsOf(declaration: ts.Node): ThrownErrors[] {
  const comment = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).at(-1)?.getText() ?? '';
  const tags = comment.split(/^\s*(?:\/\*)?\*+\s*@/m).filter((tag) => tag.startsWith('throws'));
  const errors = tags.flatMap((tag) => tag.match(/\b\w*Error\b/g) ?? []).sort();
  return tags.length === 0 ? [] : [{ name: nameOf(declaration), errors }];
}

function nameOf(declaration: ts.Node): string {
  if (ts.isConstructorDeclaration(declaration)) return `${nameOf(declaration.parent)}.constructor`;
  const name = (declaration as ts.NamedDeclaration).name?.getText() ?? '';
  return ts.isSourceFile(declaration.parent) ? name : `${nameOf(declaration.parent)}.${name}`;
}

function membersOf(statement: ts.Statement): readonly ts.Node[] {
  const hasMembers = ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement);
  return hasMembers ? statement.members.filter(({ name }) => !name || !ts.isPrivateIdentifier(name)) : [];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
