import { usageError } from '../terminal/command-error.ts';

/** Reads `--postgres`. What is wrong is not repeated: it may hold a password. */
export function parsePostgresUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw usageError('--postgres: because it is no URL of a database. Pass postgres://USER@HOST:PORT/DATABASE.');
  }
  // A password with such a character in it would end up in the host or the path, and in messages.
  if (/[@#]/.test(url.pathname + url.search + url.hash) || !canDecode(url)) {
    throw usageError(
      '--postgres: because a special character in it is not percent-encoded. Write @ as %40, # as %23 and % as %25.',
    );
  }
  return text;
}

/** How messages call the database: its URL without the password and without parameters. */
export function postgresPlace(text: string): string {
  const { username, host, pathname } = new URL(text);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

function canDecode({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}
