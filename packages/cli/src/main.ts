#!/usr/bin/env node
// Every version of Node parses this file, so it uses only syntax of Node 14 and no static imports.

// The first process of a container ignores these signals until there is a listener. Commands add their own later.
for (const [signal, exitCode] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(exitCode);
  });
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// Node 22 and 24 print a warning that `node:sqlite` is experimental, which users cannot act on.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};

if (!(major > 22 || (major === 22 && minor >= 16))) {
  process.stderr.write(
    `Failed to start memory-read: this is Node ${process.version}, but 22.16 or newer is required. Install it from https://nodejs.org and run the command again.\n`,
  );
  process.exitCode = 1;
} else if (process.argv[2] === '--version') {
  // Scripts may print the version in each run, so nothing else is loaded.
  void import('./print-version.ts').then(({ printVersion }) => printVersion(process));
} else if (process.argv[2] === 'complete-ids') {
  // Each press of the Tab key starts this command or the next one.
  void import('./completion/print-ids.ts').then(({ printIds }) => printIds(process, process.argv[3]));
} else if (process.argv[2] === 'complete-profiles') {
  void import('./completion/print-profiles.ts').then(({ printProfiles }) => printProfiles(process, process.argv[3]));
} else {
  void import('./program.ts').then(({ runProgram }) => runProgram(process));
}
