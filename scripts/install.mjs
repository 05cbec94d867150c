// Installs what a command needs if it is missing. A second run uses neither pnpm nor the network.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runPnpm } from './pnpm.mjs';
import { showInstallProgress } from './show-install-progress.mjs';

const root = new URL('../', import.meta.url);
const record = new URL('node_modules/.memory-read-install.json', root);

// A frozen lockfile holds the hash of every package, so the minimum age of releases is checked when it is updated, not here.
const installs = {
  // pnpm 12 weighs 30 MB. Serving needs 2 MB of packages, which version 10 installs from the same lockfile with 5 MB.
  serving: {
    pnpm: 'pnpm@10.34.9',
    args: [
      'install',
      '--frozen-lockfile',
      '--prod',
      '--filter=.',
      '--filter=@memory-read/cli...',
      // By default, pnpm 10 would run the version that package.json pins.
      '--config.manage-package-manager-versions=false',
      // With a wrapper script, a signal would end the script, but not Node.
      '--config.prefer-symlinked-executables=true',
    ],
  },
  everything: { args: ['install', '--frozen-lockfile', '--trust-lockfile'] },
};

// Since 22.18, Node runs TypeScript without a build.
const isNodeNewEnough = Boolean(process.features.typescript);

/** Makes sure that `scope` ('serving' or 'everything') is installed. Prints the reason if that failed. */
export async function install(scope) {
  const digest = digestOfInputs();
  const installed = readRecord();
  const isCurrent = installed?.digest === digest && !wasTouchedByNpm();
  if (isCurrent && (installed.scope === 'everything' || (scope === 'serving' && canServe(installed)))) return true;

  // A smaller install would remove packages of a full install.
  const target =
    installed?.scope === 'everything' || (!installed && existsSync(modules('.modules.yaml'))) ? 'everything' : scope;
  const { pnpm, args } = installs[target];
  const hasNode = target === 'everything' || !isNodeNewEnough;
  const progress = showInstallProgress(modules('.install.log'));
  const status = await runPnpm(
    // The only optional packages that serving could use are those of Node.
    [...args, '--reporter=append-only', ...(hasNode ? [] : ['--no-optional'])],
    // With CI set, pnpm asks no questions.
    { pnpm, env: { CI: 'true' }, onOutput: progress.add },
  );
  progress.end(status);
  if (status !== 0) return false;
  rmSync(modules('.package-lock.json'), { force: true });
  writeFileSync(record, `${JSON.stringify({ scope: target, hasNode, digest })}\n`);
  return true;
}

function canServe({ hasNode }) {
  return hasNode || isNodeNewEnough;
}

function digestOfInputs() {
  const hash = createHash('sha256');
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs'])
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
