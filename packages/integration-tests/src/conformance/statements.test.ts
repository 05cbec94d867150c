import { conformanceRules, uncheckableStatements } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { statementsOfSpecification } from './statements.ts';

const statements = statementsOfSpecification();
const held = conformanceRules.flatMap((rule) => rule.statements);
const uncheckable = uncheckableStatements.map(({ statement }) => statement);

test('the statements of the specification are found: rules, rows and texts', () => {
  expect(statements).toEqual(
    expect.arrayContaining([
      '1.4',
      '2.1',
      '2.1 duration_seconds',
      '2.1.2',
      '3 Processed',
      '4.2 Errors',
      '7 (404)',
      '9.3',
    ]),
  );
  expect(statements).toHaveLength(72);
});

test('each statement is held by a rule, or named with the reason why none can', () => {
  expect(statements.filter((statement) => !held.includes(statement) && !uncheckable.includes(statement))).toEqual([]);
});

test('rules and reasons name nothing that the specification does not have', () => {
  expect([...held, ...uncheckable].filter((statement) => !statements.includes(statement))).toEqual([]);
});

test('each rule holds a statement of its own section, and the decisions hold none', () => {
  for (const { id, section, statements: own, profile } of conformanceRules) {
    if (profile === 'reference') expect(own, id).toEqual([]);
    else
      expect(
        own.some((statement) => statement.startsWith(section) && id.startsWith(statement)),
        id,
      ).toBe(true);
  }
});

test('no two rules have one id, and no statement is uncheckable twice', () => {
  expect(new Set(conformanceRules.map(({ id }) => id)).size).toBe(conformanceRules.length);
  expect(new Set(uncheckable).size).toBe(uncheckable.length);
});
