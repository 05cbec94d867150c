import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tables, upgrades } from './migrations.ts';
import * as exported from './statements.ts';

const { limitStatements, putMemories, statements } = exported;

const everything = [
  ...Object.values(statements),
  limitStatements(30_000),
  putMemories(1),
  ...tables('TEXT'),
  ...upgrades.flatMap(({ steps }) => steps),
];

/** Features of PostgreSQL that a compatible distributed database can lack. The page says what their documents say. */
const forbidden = [
  ...[/\b(big|small)?serial\d?\b/i, /\bsequence\b|\bnextval\b/i, /\bidentity\b/i, /\btrigger\b/i, /\b(un)?listen\b/i],
  ...[/\bnotify\b/i, /\btemp(orary)?\b/i, /\bcursor\b|\bfetch\b|\bdeclare\b/i, /advisory/i, /\bcopy\b/i],
  /\bdo\b\s*['$]/i,
  ...[/\bextension\b/i, /\b(function|procedure)\b/i, /\bjsonb\b/i, /\block\b/i, /\bunlogged\b/i, /\bmerge\b/i],
  ...[/\bsavepoint\b/i, /\bfor (no key )?(update|share)\b/i, /\bpg_/i, /\b(old|new)\./i],
  ...[/\binformation_schema\b/i, /\bto_reg\w+/i, /\bcurrent_schema/i, /\bINDEX\b.*\bWHERE\b/i],
];

test.each(everything)('%s is one statement without what a distributed database can lack, or what to escape', (sql) => {
  expect(forbidden.filter((pattern) => pattern.test(sql))).toEqual([]);
  expect(sql).not.toMatch(/;|'/);
});

test('the page on distributed databases has a row for every statement, and for no other', () => {
  const page = readFileSync(`${import.meta.dirname}/../../../../../docs/reference/distributed-databases.md`, 'utf8');
  const [, table = ''] = page.split('## Every statement');
  const rows = Array.from(table.matchAll(/^\| `(.+?)` \| (.+) \|$/gm), ([, sql = '', cells = '']) => ({ sql, cells }));
  expect(rows.map(({ sql }) => sql).sort()).toEqual([...new Set(everything.map(shapeOf))].sort());
  for (const { sql, cells } of rows) {
    const engines = cells.split(' | ');
    expect(engines, sql).toHaveLength(2);
    for (const cell of engines) expect(cell, sql).toMatch(/^not found|\[[cy]-\w+\]/);
  }
});

test('the links of the page on distributed databases lead to the documents and repositories of the engines', () => {
  const page = readFileSync(`${import.meta.dirname}/../../../../../docs/reference/distributed-databases.md`, 'utf8');
  const links = Array.from(page.matchAll(/^\[(.+)\]: (.+)$/gm), ([, name = '', url = '']) => ({ name, url }));
  const used = new Set(Array.from(page.matchAll(/\]\[([\w-]+)\]/g), ([, name]) => name));
  expect(links.map(({ name }) => name)).toEqual([...used].sort());
  const hosts = {
    c: /^https:\/\/(www\.cockroachlabs\.com\/docs|github\.com\/cockroachdb)\//,
    x: /^https:\/\/github\.com\/citusdata\//,
    y: /^https:\/\/(docs\.yugabyte\.com\/stable|github\.com\/yugabyte)\//,
  };
  for (const { name, url } of links) expect(url, name).toMatch(hosts[name[0] as keyof typeof hosts]);
});

test('no other file of this folder contains SQL, and they send every statement', () => {
  expect(Object.keys(exported).sort()).toEqual(['limitStatements', 'putMemories', 'statements']);
  const others = readdirSync(import.meta.dirname).filter(
    (name) => !name.endsWith('.test.ts') && !['statements.ts', 'migrations.ts'].includes(name),
  );
  expect(others.length).toBeGreaterThan(5);
  const sql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|BEGIN|SET LOCAL)\b/;
  const sources = others.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));
  expect(others.filter((_, index) => sql.test(sources[index] ?? ''))).toEqual([]);
  const isSent = (name: string) => sources.some((source) => new RegExp(`\\bstatements\\.${name}\\b`).test(source));
  expect(Object.keys(statements).filter((name) => !isSent(name))).toEqual([]);
});

/** Returns the statement on one line, with `…` instead of names, columns and values. */
function shapeOf(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
    .trim()
    .replace(/^(WITH \w+ AS) .*/, '$1 …')
    .replace(/SELECT (?:(?!SELECT|FROM).)+ FROM/g, 'SELECT … FROM')
    .replace(/ \([^()]*\) VALUES \([^()]*\)/, ' (…) VALUES (…)')
    .replace(/DO UPDATE SET .*?(?= WHERE| RETURNING|$)/, 'DO UPDATE SET …')
    .replace(/^(CREATE TABLE (?:IF NOT EXISTS )?\w+) .*/, '$1 (…)')
    .replace(/^ALTER TABLE \w+ (ADD|DROP|ALTER) COLUMN .*/, 'ALTER TABLE … $1 COLUMN …');
}
