import { usageError } from '../terminal/command-error.ts';

/** Returns the parts of `env:NAME` or `file:PATH`, the places of a secret; no kind for any other text. */
export function splitSource(source: string): { kind: 'env' | 'file' | undefined; place: string } {
  const [, kind, place = ''] = /^(env|file):(.+)$/s.exec(source) ?? [];
  return { kind: kind as 'env' | 'file' | undefined, place };
}

/**
 * Reads the variable of a source.
 *
 * @throws CommandError if it is not set, or if the text is not a name. This text is not repeated, because the shell may have
 * replaced the name by the value.
 */
export function readVariable(option: string, name: string, env: NodeJS.ProcessEnv): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw usageError(
      `${option}: the text after env: is not the name of a variable. Pass env:NAME, without a $ before the name.`,
    );
  }
  const text = env[name];
  if (text !== undefined) return text;
  throw usageError(`${option}: the environment variable ${name} is not set. Set it, or pass another source.`);
}
