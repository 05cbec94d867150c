import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { runCli } from './testing/run-cli.ts';

const commands = shellCommandsOf('packages/*/README.md');
// Guides also contain commands of other tools.
const commandsOfGuides = shellCommandsOf('docs/{guides,reference}/*.md');

test.each([...commands, ...commandsOfGuides].filter(({ words: [program] }) => program === 'memory-read'))(
  '“$line” of $place is a command of the CLI',
  async ({ words: [, ...words] }) => {
    const names = words.slice(0, ['events', 'keys', 'people'].includes(words[0] ?? '') ? 2 : 1);
    const { stdout: help } = await runCli([...names, '--help']);
    // If a command is unknown, commander prints the help of its parent.
    expect(help).toContain(`Usage: memory-read ${names.join(' ')} `);
    // What follows `--` are arguments, also with a dash.
    const [given = ''] = words.join(' ').split(/ -- /);
    const options = given.split(' ').filter((word) => word.startsWith('--'));
    expect(options.filter((option) => !help.includes(` ${option} `))).toEqual([]);
  },
);

test.each(commands.filter(({ words: [program] }) => program !== 'memory-read'))(
  '“$line” of $place installs or starts its own package',
  ({ place, words }) => {
    const manifest = readFileSync(join(root, place, '..', 'package.json'), 'utf8');
    const { name, bin } = JSON.parse(manifest) as { name: string; bin?: object };
    const ways = ['npm install', ...(bin === undefined ? [] : [`npx ${name}`])];
    expect(ways).toContain(words.slice(0, 2).join(' '));
    expect(words.at(-1)).toBe(name);
  },
);

function shellCommandsOf(pattern: string) {
  const places = globSync(pattern, { cwd: root }).sort();
  return places.flatMap((place) => {
    const text = readFileSync(join(root, place), 'utf8');
    const blocks = Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, block = '']) => block.trim().split('\n'));
    const crontab = Array.from(text.matchAll(/^(?:[\d*]+ ){5} (.+)$/gm), ([, command = '']) => command);
    return [...blocks.flat(), ...crontab].map((line) => ({ place, line, words: line.split(/\s+/) }));
  });
}
