import ts from 'typescript';
import type { Prose } from './check-language.ts';

/** Returns the TSDoc comments of a source file as Markdown, without stars, examples and names of tags. */
export function tsdocOf(path: string, source: string): Prose[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const comments: Prose[] = [];
  const visit = (node: ts.Node): void => {
    for (const comment of ts.getJSDocCommentsAndTags(node)) {
      if (!ts.isJSDoc(comment) || comment.parent !== node) continue;
      const line = file.getLineAndCharacterOfPosition(comment.getStart()).line + 1;
      comments.push({ path, line, text: proseOf(comment.getText()) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return comments;
}

/** Returns the comments that begin with two slashes. Directives and lines of code that are quoted in a comment are left out. */
export function lineCommentsOf(path: string, source: string): Prose[] {
  const comments: Prose[] = [];
  let ended = 0;
  for (const [index, line] of source.split('\n').entries()) {
    const { 1: code = '', 2: text = '' } = /^(|.*?[\s;{,)])\/\/ (?!#|@|biome-| {2})(.*)$/.exec(line) ?? [];
    const above = comments.at(-1);
    if (text === '' || /^\s*\*/.test(code)) continue;
    if (above !== undefined && ended === index && code.trim() === '') above.text += `\n${text}`;
    else comments.push({ path, line: index + 1, text });
    ended = index + 1;
  }
  return comments;
}

/** Returns the names of the tests and groups of a test file. Placeholders such as `%s` stay. */
export function testNamesOf(path: string, source: string): Prose[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const names: Prose[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined;
    if (name !== undefined && ts.isStringLiteralLike(name)) {
      const line = file.getLineAndCharacterOfPosition(name.getStart()).line + 1;
      names.push({ path, line, text: name.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Returns whether an expression is `test`, `describe` or `it`, also as in `test.each([])`. */
function isTest(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression)) return ['test', 'describe', 'it'].includes(expression.text);
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return isTest(expression.expression);
  return ts.isTaggedTemplateExpression(expression) && isTest(expression.tag);
}

function proseOf(comment: string): string {
  return comment
    .replaceAll(/^\/\*\*|\*\/$|^[ \t]*\*(?!\/) ?/gm, '')
    .replaceAll(/^@example[\s\S]*?(?=^@(?!example)|(?![\s\S]))/gm, (example) => example.replaceAll(/[^\n]/g, ''))
    .replaceAll(/\{@link\s+([^}|]+)(?:\|[^}]*)?\}/g, '`$1`')
    .replaceAll(/^@\w+/gm, '-');
}
