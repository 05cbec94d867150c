import { usageError } from '../terminal/command-error.ts';

/** Returns a name of a sink. */
export function parseSink(option: string): (text: string) => string {
  return (text) => {
    if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)) return text;
    throw usageError(`${option}: it is not a name of a sink. Use 1 to 64 of a-z, 0-9, - and _, such as default.`);
  };
}
