import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { MediaSecret } from '@memory-read/server';
import { CommandError, exitCodes } from '../errors/command-error.ts';

/** Where {@link openMediaSecrets} looks. */
export interface MediaSecretsOptions {
  /** `env:NAME` or `file:PATH`. */
  mediaSecrets?: string | undefined;
  /** Path of the SQLite file, beside which a secret is made and kept when none is named. */
  db: string;
}

/** The secrets that media URLs are signed with: those that are named, else one that is made once and kept. */
export function openMediaSecrets({ mediaSecrets, db }: MediaSecretsOptions): MediaSecret[] {
  if (mediaSecrets !== undefined) return readMediaSecrets(mediaSecrets);
  const path = `${db}.media-secrets.json`;
  if (!existsSync(path)) writeFileSync(path, `${JSON.stringify([createMediaSecret()])}\n`, { flag: 'wx', mode: 0o600 });
  return parseSecrets(readFileSync(path, 'utf8'), `file:${path}`);
}

/** The secrets that `env:NAME` or `file:PATH` holds. */
export function readMediaSecrets(source: string): MediaSecret[] {
  return parseSecrets(readSource(source), source);
}

/** A new secret that nobody can guess. */
export function createMediaSecret(): MediaSecret {
  return { id: randomBytes(3).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

function readSource(source: string): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(source) ?? [];
  // The value is not repeated: it may be the secret itself.
  if (kind === undefined) {
    throw new CommandError(
      exitCodes.usage,
      'Failed to read --media-secrets: because a secret itself would stand in the process list. Pass env:NAME or file:PATH.',
    );
  }
  const text = kind === 'env' ? process.env[name] : readFileIfAny(name);
  if (text !== undefined) return text;
  const missing = kind === 'env' ? `the environment has no ${name}` : `the file ${name} cannot be read`;
  throw secretsError(source, missing, 'Pass one that is there');
}

function parseSecrets(text: string, source: string): MediaSecret[] {
  let secrets: unknown;
  try {
    secrets = JSON.parse(text);
  } catch {
    // Told below, without the parser's words, which quote the text.
  }
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(isMediaSecret)) return secrets;
  throw secretsError(source, 'it is no JSON array of { "id": string, "secret": string }', 'Write it as one');
}

function isMediaSecret(value: unknown): value is MediaSecret {
  const { id, secret } = (value ?? {}) as Partial<MediaSecret>;
  return typeof id === 'string' && typeof secret === 'string';
}

function readFileIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function secretsError(source: string, reason: string, advice: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to read media secrets from ${source}: because ${reason}. ${advice}.`,
  );
}
