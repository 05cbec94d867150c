import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { readPrivateFile } from '../options/read-private-file.ts';
import { usageError } from '../terminal/command-error.ts';

/** Parameters of the URL that set up TLS. */
export const tlsParameters = ['sslcert', 'sslkey', 'sslmode', 'sslrootcert'];

/** Makes an error of the description of a problem of the URL. The error names the option with the URL. */
export type ToError = (description: string) => Error;

type TlsParameters = Record<string, string | undefined>;

const verifyingModes = ['require', 'verify-ca', 'verify-full'];
const modes = ['disable', ...verifyingModes, 'no-verify'];

/** Returns the TLS options of connections. Every mode that verifies checks the certificate and the host name. */
export function parseTls(
  { sslmode, sslrootcert, sslcert, sslkey }: TlsParameters,
  env: NodeJS.ProcessEnv,
  problem: ToError,
): false | ConnectionOptions {
  const mode = sslmode ?? (env.PGSSLMODE || 'disable');
  if (!modes.includes(mode)) {
    const reason = `is not supported. Use ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}.`;
    throw sslmode === undefined ? usageError(`PGSSLMODE: it ${reason}`) : problem(`its sslmode ${reason}`);
  }
  if (sslrootcert !== undefined && !verifyingModes.includes(mode)) {
    throw problem('its sslrootcert has no effect without verification. Add sslmode=verify-full.');
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw problem('it has only one of sslcert and sslkey. Pass both.');
  }
  if (sslcert !== undefined && mode === 'disable') {
    throw problem('its sslcert has no effect without TLS. Add sslmode=verify-full.');
  }
  if (mode === 'disable') return false;
  const certificates = {
    ...(sslrootcert === undefined ? {} : { ca: readAuthority(sslrootcert, problem) }),
    ...(sslcert === undefined || sslkey === undefined ? {} : readIdentity(sslcert, sslkey, problem)),
  };
  // Set in both cases: without it, an environment variable of Node could turn the verification off.
  return { ...certificates, rejectUnauthorized: mode !== 'no-verify' };
}

/** With an empty list of authorities, Node would trust its own ones. */
function readAuthority(path: string, problem: ToError): string {
  const ca = readText('sslrootcert', path, problem);
  try {
    new X509Certificate(ca);
  } catch {
    throw problem(wrongFile('sslrootcert', 'a certificate'));
  }
  return ca;
}

function readIdentity(certificatePath: string, keyPath: string, problem: ToError): { cert: string; key: string } {
  const cert = readText('sslcert', certificatePath, problem);
  const key = readPrivateFile(keyPath, { isForService: true });
  if (key === undefined) throw problem(unreadable('sslkey', 'ENOENT'));
  try {
    createSecureContext({ cert, key });
  } catch {
    throw problem(wrongFile('sslcert', 'a certificate of the private key in sslkey'));
  }
  return { cert, key };
}

function readText(parameter: string, path: string, problem: ToError): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problem(unreadable(parameter, (error as NodeJS.ErrnoException).code));
  }
}

function wrongFile(parameter: string, expected: string): string {
  return `the file of its ${parameter} is not ${expected}. Pass a file in the format PEM.`;
}

/** The path is not repeated: it may contain a part of a password that is not percent-encoded. */
function unreadable(parameter: string, code: string | undefined): string {
  return `the file of its ${parameter} cannot be read (${code}). Check its path and permissions.`;
}
