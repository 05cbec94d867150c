#!/usr/bin/env node
// The first process of a container ignores these signals until there is a listener. The program adds its own later. What
// is imported takes time, so it is imported afterwards.
for (const [signal, exitCode] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(exitCode);
  });
}

const { logToStandardError } = await import('./log-to-standard-error.ts');
logToStandardError();
const { runProgram } = await import('./run-program.ts');
await runProgram(process);
