import { usageError } from '../terminal/command-error.ts';

interface SourceOptions<Text> {
  /** Name of the option, for messages. */
  option: string;
  env: NodeJS.ProcessEnv;
  readFile: (path: string) => Text;
}

/**
 * Reads `env:NAME` or `file:PATH`, the places of a secret. Returns undefined for any other text.
 *
 * @throws CommandError if the variable is not set, or if its name is invalid. This name is not repeated, because the shell
 * may have replaced it by the value.
 */
export function readSource<Text>(
  source: string,
  { option, env, readFile }: SourceOptions<Text>,
): Text | string | undefined {
  const [, kind, place = ''] = /^(env|file):(.+)$/s.exec(source) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'file') return readFile(place);
  if (!/^[A-Za-z_]\w*$/.test(place)) {
    throw usageError(
      `${option}: the text after env: is not the name of a variable. Pass env:NAME, without a $ before the name.`,
    );
  }
  const text = env[place];
  if (text !== undefined) return text;
  throw usageError(`${option}: the environment variable ${place} is not set. Set it, or pass another source.`);
}
