import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { readPrivateFile } from '../options/read-private-file.ts';
import { usageError } from '../terminal/command-error.ts';

/** Parameters of the URL that set up TLS. */
export const tlsParameters = ['sslcert', 'sslkey', 'sslmode', 'sslrootcert'];

type TlsParameters = Record<string, string | undefined>;

const verifyingModes = ['require', 'verify-ca', 'verify-full'];
const modes = ['disable', ...verifyingModes, 'no-verify'];

/** Returns the TLS options of connections. Every mode that verifies checks the certificate and the host name. */
export function parseTls(
  { sslmode, sslrootcert, sslcert, sslkey }: TlsParameters,
  env: NodeJS.ProcessEnv,
): false | ConnectionOptions {
  const mode = sslmode ?? (env.PGSSLMODE || 'disable');
  if (!modes.includes(mode)) {
    const option = sslmode === undefined ? 'PGSSLMODE: it' : '--postgres: its sslmode';
    throw usageError(`${option} is not supported. Use ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}.`);
  }
  if (sslrootcert !== undefined && !verifyingModes.includes(mode)) {
    throw usageError('--postgres: its sslrootcert has no effect without verification. Add sslmode=verify-full.');
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw usageError('--postgres: it has only one of sslcert and sslkey. Pass both.');
  }
  if (sslcert !== undefined && mode === 'disable') {
    throw usageError('--postgres: its sslcert has no effect without TLS. Add sslmode=verify-full.');
  }
  if (mode === 'disable') return false;
  const certificates = {
    ...(sslrootcert === undefined ? {} : { ca: readAuthority(sslrootcert) }),
    ...(sslcert === undefined || sslkey === undefined ? {} : readIdentity(sslcert, sslkey)),
  };
  // Set in both cases: without it, an environment variable of Node could turn the verification off.
  return { ...certificates, rejectUnauthorized: mode !== 'no-verify' };
}

/** With an empty list of authorities, Node would trust its own ones. */
function readAuthority(path: string): string {
  const ca = readText('sslrootcert', path);
  return checked('sslrootcert', 'a certificate', () => {
    new X509Certificate(ca);
    return ca;
  });
}

function readIdentity(certificatePath: string, keyPath: string): { cert: string; key: string } {
  const cert = readText('sslcert', certificatePath);
  const key = readPrivateFile(keyPath, { isForService: true });
  if (key === undefined) throw unreadable('sslkey', 'ENOENT');
  return checked('sslcert', 'a certificate of the private key in sslkey', () => {
    createSecureContext({ cert, key });
    return { cert, key };
  });
}

function readText(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(parameter, (error as NodeJS.ErrnoException).code);
  }
}

function checked<Value>(parameter: string, expected: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw usageError(`--postgres: the file of its ${parameter} is not ${expected}. Pass a file in the format PEM.`);
  }
}

/** The path is not repeated: it may contain a part of a password that is not percent-encoded. */
function unreadable(parameter: string, code: string | undefined): Error {
  return usageError(
    `--postgres: the file of its ${parameter} cannot be read (${code}). Check its path and permissions.`,
  );
}
