#!/usr/bin/env node
// Every version of Node parses this file, so it uses only syntax of Node 14, and imports the program dynamically.
import { beginProgram } from '@memory-read/contract/program';

// Node 22 and 24 print a warning that `node:sqlite` is experimental, which users cannot act on.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};

if (beginProgram(process, 'memory-read', [22, 16])) start(process.argv[2]);

function start(command: string | undefined): void {
  if (command === '--version') {
    // Scripts may print the version in each run, so nothing else is loaded.
    void import('./print-version.ts').then(({ printVersion }) => printVersion(process));
  } else if (command === 'complete-ids') {
    // Each press of the Tab key starts this command or one of the next.
    void import('./completion/print-ids.ts').then(({ printIds }) => printIds(process, process.argv[3]));
  } else if (command === 'complete-speakers') {
    void import('./completion/print-ids.ts').then(({ printSpeakers }) => printSpeakers(process, process.argv[3]));
  } else if (command === 'complete-people') {
    void import('./completion/print-ids.ts').then(({ printPeople }) => printPeople(process));
  } else if (command === 'complete-sinks') {
    void import('./completion/print-ids.ts').then(({ printSinks }) => printSinks(process));
  } else if (command === 'complete-profiles') {
    void import('./completion/print-profiles.ts').then(({ printProfiles }) => printProfiles(process, process.argv[3]));
  } else {
    void import('./program.ts').then(({ runProgram }) => runProgram(process));
  }
}
