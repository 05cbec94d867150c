import { readPrivateFile } from '../options/read-private-file.ts';
import { readSource } from '../options/read-source.ts';
import { usageError } from '../terminal/command-error.ts';
import { type PostgresDatabase, parsePostgresUrl } from './postgres-url.ts';

/** The database of an option. */
export interface PostgresSource extends PostgresDatabase {
  /** Value of the option to show in commands. It does not contain the URL. */
  option: string;
}

/**
 * Reads `--postgres` or another option like it: `env:NAME` or `file:PATH` of a URL, or a URL without a password. No error
 * repeats the URL.
 *
 * @throws CommandError if the source cannot be read, or a URL is invalid or has a password on the command line.
 */
export function readPostgresSource(source: string, env: NodeJS.ProcessEnv, option = '--postgres'): PostgresSource {
  const text = readSource(source, { option, env, readFile: (path) => readFile(path, option) });
  if (text === undefined) return { ...parseArgument(source, env, option), option: 'URL' };
  return { ...parsePostgresUrl(text.trimEnd(), env, option), option: source };
}

function parseArgument(url: string, env: NodeJS.ProcessEnv, option: string): PostgresDatabase {
  const database = parsePostgresUrl(url, env, option);
  if (!database.settings.password) return database;
  throw usageError(
    `${option}: a password on the command line is visible to other users of this machine. Pass env:NAME or file:PATH, or leave the password out and set PGPASSWORD.`,
  );
}

function readFile(path: string, option: string): string {
  // A URL after file: is a mistake, and its password must not appear as a path in a message.
  if (path.includes('://')) {
    throw usageError(`${option}: the text after file: is a URL. Pass the path of a file that contains the URL.`);
  }
  const text = readPrivateFile(path, { isForService: true });
  if (text !== undefined) return text;
  throw usageError(`${option}: the file ${JSON.stringify(path)} does not exist. Pass the path of a file with the URL.`);
}
