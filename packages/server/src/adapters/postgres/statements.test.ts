import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tables, upgrades } from './migrations.ts';
import { limitStatements, putMemories, statements } from './statements.ts';

const everything = [...Object.values(statements), limitStatements(1), putMemories(2), ...tables, ...upgrades.flat()];

/** Features of PostgreSQL that not every compatible distributed database has. */
const forbidden = [
  ...[/\b(big|small)?serial\d?\b/i, /\bsequence\b|\bnextval\b/i, /\bidentity\b/i, /\btrigger\b/i, /\b(un)?listen\b/i],
  ...[
    /\bnotify\b/i,
    /\btemp(orary)?\b/i,
    /\bcursor\b|\bfetch\b|\bdeclare\b/i,
    /advisory/i,
    /\bcopy\b/i,
    /\bdo\b\s*['$]/i,
  ],
  ...[/\bextension\b/i, /\b(function|procedure)\b/i, /\bjsonb\b/i, /\block\b/i, /\bunlogged\b/i, /\bmerge\b/i],
  ...[/\bsavepoint\b/i, /\bfor (no key )?(update|share)\b/i, /\bpg_/i, /\b(old|new)\./i],
];

test.each(everything)('%s is SQL that compatible distributed databases accept', (sql) => {
  expect(forbidden.filter((pattern) => pattern.test(sql))).toEqual([]);
});

test.each(everything)('%s is one statement, and needs no escaping', (sql) => {
  expect(sql).not.toMatch(/;|'/);
});

test('no other file of this folder contains SQL', () => {
  const others = readdirSync(import.meta.dirname).filter(
    (name) => !name.endsWith('.test.ts') && !['statements.ts', 'migrations.ts'].includes(name),
  );
  expect(others.length).toBeGreaterThan(5);
  const sql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|BEGIN|SET LOCAL)\b/;
  expect(others.filter((name) => sql.test(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')))).toEqual([]);
});
