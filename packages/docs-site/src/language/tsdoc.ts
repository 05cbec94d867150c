import ts from 'typescript';
import type { Prose } from './check-language.ts';

/** Returns the TSDoc comments of a source file as Markdown, without stars, examples and names of tags. */
export function tsdocOf(path: string, source: string): Prose[] {
  return nodesOf(path, source).flatMap((node) =>
    ts
      .getJSDocCommentsAndTags(node)
      .filter((comment) => ts.isJSDoc(comment) && comment.parent === node)
      .map((comment) => ({ path, line: lineOf(comment), text: proseOf(comment.getText()) })),
  );
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
  return nodesOf(path, source).flatMap((node) => {
    const name = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined;
    return name && ts.isStringLiteralLike(name) ? [{ path, line: lineOf(name), text: name.text }] : [];
  });
}

/** Returns the nodes of a source file, each before those within it. */
function nodesOf(path: string, source: string): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return nodes;
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
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
