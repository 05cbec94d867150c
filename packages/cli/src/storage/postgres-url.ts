import { usageError } from '../terminal/command-error.ts';

/** Parses `--postgres`. Errors do not repeat the value, because it may contain a password. */
export function parsePostgresUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw usageError('--postgres: it is not the URL of a database. Pass postgres://USER@HOST:PORT/DATABASE.');
  }
  // An unescaped character of the password would make it part of the host or the path, and of messages.
  if (/[@#]/.test(url.pathname + url.search + url.hash) || !canDecode(url)) {
    throw usageError(
      '--postgres: a special character in it is not percent-encoded. Write @ as %40, # as %23 and % as %25.',
    );
  }
  return text;
}

/** Returns the URL for messages, without the password and the parameters. */
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
