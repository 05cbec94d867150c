// Installs what a command needs if it is missing. A second run uses neither pnpm nor the network.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runPnpm } from './pnpm.mjs';
import { showInstallProgress } from './show-install-progress.mjs';

const root = new URL('../', import.meta.url);
const record = new URL('node_modules/.memory-read-install.json', root);

/** What one does, and the packages that it needs with everything that they depend on. */
const profiles = {
  serve: ['@memory-read/cli', '@memory-read/example-read-memories'],
  view: ['@memory-read/example-memory-viewer'],
  docs: ['@memory-read/docs-site'],
  test: ['@memory-read/integration-tests', '@memory-read/cli', '@memory-read/docs-site', '@memory-read/guide-code'],
  everything: [],
};
/** Profiles that need no development dependencies. */
const runProfiles = ['serve', 'view', 'docs'];

// pnpm 12 weighs 30 MB. Serving needs 2 MB of packages, which version 10 installs from the same lockfile with 5 MB.
const lightPnpm = {
  pnpm: 'pnpm@10.34.9',
  args: [
    // By default, pnpm 10 would run the version that package.json pins.
    '--config.manage-package-manager-versions=false',
    // With a wrapper script, a signal would end the script, but not Node.
    '--config.prefer-symlinked-executables=true',
  ],
};

// Since 22.18, Node runs TypeScript without a build.
const isNodeNewEnough = Boolean(process.features.typescript);

/** Makes sure that the packages of a profile are installed. Prints the reason if that failed. */
export async function install(profile) {
  const digest = digestOfInputs();
  const installed = readRecord();
  const isCurrent = installed?.digest === digest && !wasTouchedByNpm();
  const needsNode = !runProfiles.includes(profile) || !isNodeNewEnough;
  if (isCurrent && covers(installed.profiles, profile) && (installed.hasNode || !needsNode)) return true;

  // An install of one profile would remove the packages of the others.
  const before = installed?.profiles ?? (existsSync(modules('.modules.yaml')) ? ['everything'] : []);
  const wanted = covers(before, profile) ? before : [...before, profile];
  const hasNode = needsNode || wanted.some((name) => !runProfiles.includes(name));
  const { pnpm, args } = wanted.every((name) => name === 'serve') ? lightPnpm : { args: ['--trust-lockfile'] };
  const progress = showInstallProgress(modules('.install.log'));
  const status = await runPnpm(
    ['install', '--frozen-lockfile', ...filtersOf(wanted), ...args, '--reporter=append-only'].concat(
      // The only optional packages that serving could use are those of Node.
      hasNode ? [] : '--no-optional',
    ),
    // With CI set, pnpm asks no questions.
    { pnpm, env: { CI: 'true' }, onOutput: progress.add },
  );
  progress.end(status);
  if (status !== 0) return false;
  rmSync(modules('.package-lock.json'), { force: true });
  writeFileSync(record, `${JSON.stringify({ profiles: wanted, hasNode, digest })}\n`);
  return true;
}

function covers(names, profile) {
  return names.includes('everything') || names.includes(profile);
}

function filtersOf(names) {
  if (names.includes('everything')) return [];
  const packages = names.flatMap((name) => profiles[name]).map((name) => `--filter=${name}...`);
  const isRunOnly = names.every((name) => runProfiles.includes(name));
  return ['--filter=.', ...packages, ...(isRunOnly ? ['--prod'] : [])];
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
