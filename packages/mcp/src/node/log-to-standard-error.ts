import { Console } from 'node:console';

/** Lets `console` of this process write to standard error. Programs read standard output, so it holds nothing else. */
export function logToStandardError(): void {
  const errors = new Console(process.stderr, process.stderr);
  for (const name of [
    'log',
    'info',
    'debug',
    'dir',
    'dirxml',
    'table',
    'group',
    'count',
    'timeEnd',
    'timeLog',
  ] as const) {
    console[name] = errors[name].bind(errors);
  }
}
