/** node packages/system-tests/src/packed/pack-packages.ts: packs every published package once, for all tests that need one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';
import { packedFolder, publishedPackages } from './packed-packages.ts';

rmSync(packedFolder, { recursive: true, force: true });
mkdirSync(packedFolder, { recursive: true });
const filters = publishedPackages.map((name) => `--filter=@memory-read/${name}`);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'scripts', 'pnpm.mjs'), ...filters, 'pack', '--pack-destination', packedFolder],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
