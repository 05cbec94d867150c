import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, createConsumer } from './create-consumer.ts';

const require = createRequire(import.meta.url);
let consumer: Consumer;
beforeAll(() => {
  consumer = createConsumer();
});
afterAll(() => consumer.remove());

const nodes = [
  { version: process.version, path: process.execPath },
  // The oldest Node that the packages name in their engines.
  { version: 'v22.13.0', path: join(import.meta.dirname, '../../node_modules/node-oldest/bin/node') },
];

for (const { version, path } of nodes) {
  const testOnNode = test.runIf(existsSync(path));

  testOnNode(`a project in ES modules works with the packed packages on Node ${version}`, () => {
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()).toBe(version);
    expect(run(path, consumer.add('consumer.mjs'))).toContain('esm works');
  });

  testOnNode(`both stores keep the rules of the published suites on Node ${version}`, () => {
    expect(run(path, consumer.add('store-suites.mjs'))).toMatch(/^[1-9]\d+ cases passed$/m);
  });

  testOnNode(`a project in CommonJS works with the packed packages on Node ${version}`, () => {
    expect(run(path, consumer.add('consumer.cjs'))).toContain('cjs works');
  });
}

const compilers = ['typescript', 'typescript-oldest'];
const settings = [
  { file: 'consumer.ts', as: 'an ES module', module: 'nodenext', moduleResolution: 'nodenext' },
  { file: 'consumer.ts', as: 'a bundled module', module: 'esnext', moduleResolution: 'bundler' },
];

for (const compiler of compilers) {
  const { version } = require(`${compiler}/package.json`);
  test.each(settings)(
    `TypeScript ${version} accepts the packed types as $as, without @types/node`,
    ({ file, module, moduleResolution }) => {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        module,
        moduleResolution,
      };
      consumer.add(file);
      writeFileSync(join(consumer.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
      expect(existsSync(join(consumer.folder, 'node_modules/@types'))).toBe(false);
      expect(run(process.execPath, require.resolve(`${compiler}/bin/tsc`), '-p', consumer.folder)).toBe('');
    },
  );
}

function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { cwd: consumer.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
