import { visibleLine } from './visible-text.ts';

/** Returns arguments as a shell and a command read them, also those that begin with `-`. */
export function shellArguments(args: readonly string[]): string {
  return [...(args.some((each) => each.startsWith('-')) ? ['--'] : []), ...args.map(shellQuoted)].join(' ');
}

export function shellQuoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
