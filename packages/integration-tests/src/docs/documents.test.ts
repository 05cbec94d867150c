import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const documents = tracked.filter((path) => path.endsWith('.md'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(documents)('every relative link and anchor of %s exists', (path) => {
  const links = Array.from(withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target ?? '');
  const dead = links
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const aim = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, aim))) return true;
      return anchor !== undefined && !anchorsOf(read(aim)).includes(anchor);
    });
  expect(dead).toEqual([]);
});

test.each(documents)('every path that %s names exists', (path) => {
  const named = Array.from(
    read(path).matchAll(/`((?:packages|docs|scripts|examples|src)\/[\w./-]+)`/g),
    ([, name = '']) => (name.startsWith('src/') ? join(dirname(path), name) : name),
  );
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test.each(documents.filter((path) => path.startsWith('docs/guides/')))('%s fits on two screens', (path) => {
  expect(read(path).split(/\s+/).length).toBeLessThanOrEqual(800);
});

test('no file names the host of a registry or a folder of a machine', () => {
  // The brackets prevent this file from matching its own pattern.
  const forbidden = /(registry|deb)\.[a-z]+\.(org|com)|\/w[o]rk\/|\/r[o]ot\//;
  const binary = /\.(png|webm|wav|tgz)$/;
  expect(tracked.filter((path) => !binary.test(path) && forbidden.test(read(path)))).toEqual([]);
});

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```|`[^`]*`/g, '');
}

function anchorsOf(text: string): string[] {
  return Array.from(withoutFences(text).matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutFences(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '');
}
