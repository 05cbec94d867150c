import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { expect, test } from 'vitest';
import { createConsumer } from '../../../packages/create-consumer.ts';
import { useChromium } from '../../../runtimes/browser/use-chromium.ts';
import { runRecipe } from '../run-recipe.ts';

// The recipes of the guide run in a project with the packed packages, on free ports.
const consumer = createConsumer();
const { folder } = consumer;
consumer.link('@playwright/test');
const chromium = useChromium();

test('the recipes for Playwright with a backend pass, on two workers', async () => {
  const ports = { 8790: await freePort(), 8791: await freePort(), 3000: await freePort() };
  for (const file of globSync('{backend,*.spec,*.config}.ts', { cwd: import.meta.dirname })) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const changed = text.replace(/\b(?:8790|8791|3000)\b/g, (port) =>
      String(ports[Number(port) as keyof typeof ports]),
    );
    writeFileSync(join(folder, file), changed);
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { start: 'node backend.ts' } }),
  );
  const { executablePath, environment: env } = chromium();
  const launch = { executablePath, env, args: ['--no-sandbox'] };
  const environment = { CHROMIUM: JSON.stringify(launch), npm_config_offline: 'true' };
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'chromium.config.ts', '--workers', '2'];
  const run = await runRecipe(args, environment, process.execPath, folder);
  expect(run).toEqual({ status: 0, output: expect.stringMatching(/^ {2}5 passed/m) });
});
