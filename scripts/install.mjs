// Installs what a command needs, and only when it is not there yet: a second run touches neither pnpm nor the network.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runPnpm } from './pnpm.mjs';

const root = new URL('../', import.meta.url);
const record = new URL('node_modules/.memory-read-install.json', root);

const pnpmArguments = {
  serving: ['install', '--frozen-lockfile', '--prod', '--filter=.', '--filter=@memory-read/cli...'],
  everything: ['install', '--frozen-lockfile'],
};

/** Makes sure that `scope` ('serving' or 'everything') is installed; returns pnpm's exit code. */
export function install(scope) {
  const digest = digestOfInputs();
  const installed = readRecord();
  const isCurrent = installed?.digest === digest && !wasTouchedByNpm();
  if (isCurrent && (installed.scope === 'everything' || installed.scope === scope)) return 0;

  // A smaller install would remove what a full one put there.
  const target =
    installed?.scope === 'everything' || (!installed && existsSync(modules('.modules.yaml'))) ? 'everything' : scope;
  console.error(`Installing what is needed for ${target === 'serving' ? 'serving' : 'everything'} …`);
  // Standard output belongs to the command that follows, and CI keeps pnpm from asking questions.
  const status = runPnpm(pnpmArguments[target], { stdio: ['ignore', 2, 2], env: { CI: 'true' } });
  if (status === 0) {
    rmSync(modules('.package-lock.json'), { force: true });
    writeFileSync(record, `${JSON.stringify({ scope: target, digest })}\n`);
  }
  return status;
}

function digestOfInputs() {
  const hash = createHash('sha256');
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs'])
    hash.update(readFileSync(new URL(path, root)));
  return hash.digest('hex');
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(record, 'utf8'));
  } catch {
    return undefined;
  }
}

function wasTouchedByNpm() {
  return existsSync(modules('.package-lock.json'));
}

function modules(path) {
  return new URL(`node_modules/${path}`, root);
}
