import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tables, upgrades } from './migrations.ts';
import * as exported from './statements.ts';

const { limitStatements, putMemories, replicationStatements, statements } = exported;

const everything = [
  ...Object.values(statements),
  limitStatements(30_000),
  putMemories(1),
  ...tables('TEXT'),
  ...upgrades.flatMap(({ steps }) => steps),
];

/** Features of PostgreSQL that a compatible database can lack. */
const forbidden = [
  ...[/\b(big|small)?serial\d?\b/i, /\bsequence\b|\bnextval\b/i, /\bidentity\b/i, /\btrigger\b/i, /\b(un)?listen\b/i],
  ...[/\bnotify\b/i, /\btemp(orary)?\b/i, /\bcursor\b|\bfetch\b|\bdeclare\b/i, /advisory/i, /\bcopy\b/i],
  /\bdo\b\s*['$]/i,
  ...[/\bextension\b/i, /\b(function|procedure)\b/i, /\bjsonb\b/i, /\block\b/i, /\bunlogged\b/i, /\bmerge\b/i],
  ...[/\bsavepoint\b/i, /\bfor (no key )?(update|share)\b/i, /\bpg_/i, /\b(old|new)\./i],
  ...[/\binformation_schema\b/i, /\bto_reg\w+/i, /\bcurrent_schema/i, /\bINDEX\b.*\bWHERE\b/i],
];

test.each(everything)('%s is one statement without what a compatible database can lack, or what to escape', (sql) => {
  expect(forbidden.filter((pattern) => pattern.test(sql))).toEqual([]);
  expect(sql).not.toMatch(/;|'/);
});

test('no other file of this folder contains SQL, and they send every statement', () => {
  const names = ['limitStatements', 'putMemories', 'replicationStatements', 'statements'];
  expect(Object.keys(exported).sort()).toEqual(names);
  const others = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test|test-support)\.ts$/.test(name) && !['statements.ts', 'migrations.ts'].includes(name),
  );
  expect(others.length).toBeGreaterThan(5);
  const sql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|BEGIN|SET LOCAL)\b/;
  const sources = others.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));
  expect(others.filter((_, index) => sql.test(sources[index] ?? ''))).toEqual([]);
  const isSent = (name: string) =>
    sources.some((source) => new RegExp(`\\b(replicationS|s)tatements\\.${name}\\b`).test(source));
  expect(Object.keys({ ...statements, ...replicationStatements }).filter((name) => !isSent(name))).toEqual([]);
});
