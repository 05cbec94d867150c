import { publishedEntries } from '@memory-read/docs-site';
import { exportsOf } from '@memory-read/integration-tests/docs/edge-cases/read-edge-cases';
import ts from 'typescript';
import { expect, test } from 'vitest';

const unit = /\b(milliseconds|seconds|bytes?|number of|factor|seed|ports?)\b/i;

test('the documentation of every optional setting says its default, and its unit if it is a number', () => {
  const problems = describedOptions().flatMap(({ name, type, text }) => [
    ...(/\bdefault\b/i.test(text) ? [] : [`${name}: no default`]),
    ...(/\bnumber\b/.test(type) && !unit.test(text) ? [`${name}: no unit`] : []),
  ]);
  expect(problems).toEqual([]);
  expect(describedOptions().length).toBeGreaterThan(100);
});

/** Returns the optional properties of the published interfaces whose name ends with `Options`, as an editor shows them. */
function describedOptions() {
  const { checker, exported } = exportsOf(publishedEntries().map(({ source }) => source));
  const interfaces = new Set(exported.filter(({ name }) => name.endsWith('Options')));
  return [...interfaces].flatMap((symbol) =>
    checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
      .filter((property) => property.flags & ts.SymbolFlags.Optional && !isInternal(property))
      .map((property) => ({
        name: `${symbol.name}.${property.name}`,
        // A callback may get numbers.
        type: checker.typeToString(checker.getTypeOfSymbol(property)).replace(/\(.*/s, ''),
        text: ts.displayPartsToString(property.getDocumentationComment(checker)),
      })),
  );
}

/** Returns whether the published types leave a property out. */
function isInternal(property: ts.Symbol): boolean {
  return property.getJsDocTags().some(({ name }) => name === 'internal');
}
