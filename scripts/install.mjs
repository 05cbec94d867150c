// Installs what a command needs if it is missing. A second run uses neither pnpm nor the network.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pinned, runPnpm } from './pnpm.mjs';
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

// Since 22.18, Node runs TypeScript without a build. In `npm run`, an installed Node of the repository starts this script.
const isOwnNode = process.execPath.startsWith(fileURLToPath(new URL('node_modules/', root)));
const isNodeNewEnough = Boolean(process.features.typescript) && !isOwnNode;

/** Makes sure that the packages of a profile are installed. Prints the reason if that failed. */
export async function install(profile) {
  const digest = digestOfInputs();
  const installed = readRecord();
  const isCurrent = installed?.digest === digest && !wasTouchedByNpm();
  const needsOptional = profile !== 'serve' || !isNodeNewEnough;
  if (isCurrent && covers(installed.profiles, profile) && (installed.hasOptional || !needsOptional)) return true;

  // An install of one profile would remove the packages of the others.
  const installer = readInstaller();
  const before = installed?.profiles ?? (installer === undefined ? [] : ['everything']);
  const wanted = covers(before, profile) ? before : [...before, profile];
  // The only optional packages that serving could use are those of Node.
  const hasOptional = !isNodeNewEnough || wanted.some((name) => name !== 'serve');
  // This version of pnpm continues only its own work.
  if ((installer && installer !== pinned) || wasTouchedByNpm()) rmSync(modules(''), { recursive: true, force: true });
  const progress = showInstallProgress(modules('.install.log'));
  const optional = hasOptional ? [] : ['--no-optional'];
  const problem = await runPnpm(
    ['install', '--frozen-lockfile', ...filtersOf(wanted), ...optional, '--reporter=append-only'],
    // With CI set, pnpm asks no questions.
    { env: { CI: 'true' }, onOutput: progress.add },
  ).then(
    (status) =>
      status &&
      `npm ended with code ${status}; its output is in node_modules/.install.log. Check the network and run the command again.`,
    ({ message }) => message,
  );
  progress.end(problem);
  if (problem) return false;
  writeFileSync(record, `${JSON.stringify({ profiles: wanted, hasOptional, digest })}\n`);
  return true;
}

function covers(names, profile) {
  return names.includes('everything') || names.includes(profile);
}

function filtersOf(names) {
  if (names.includes('everything')) return [];
  const isRunOnly = names.every((name) => runProfiles.includes(name));
  // With --prod alone, packages that only tests depend on would be selected too.
  const [filter, ...options] = isRunOnly ? ['--filter-prod', '--prod'] : ['--filter'];
  return ['--filter=.', ...names.flatMap((name) => profiles[name]).map((name) => `${filter}=${name}...`), ...options];
}

function digestOfInputs() {
  const hash = createHash('sha256');
  // The profiles are in this script.
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', 'scripts/install.mjs'])
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

/** Returns the program that wrote node_modules. */
function readInstaller() {
  const path = modules('.modules.yaml');
  return existsSync(path) ? /packageManager"?: "?([\w@.]+)/.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
}

function wasTouchedByNpm() {
  return existsSync(modules('.package-lock.json'));
}

function modules(path) {
  return new URL(`node_modules/${path}`, root);
}
