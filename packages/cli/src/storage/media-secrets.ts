import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import type { MediaSecret } from '@memory-read/server';
import { createFileOnce, temporaryPath } from '../files/write-whole-file.ts';
import { readSource } from '../options/read-source.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';

/** Returns the secrets beside the SQLite file. A secret is created once and stored there. */
export function openMediaSecrets(db: string): MediaSecret[] {
  const path = `${db}.media-secrets.json`;
  return parseSecrets(readOrCreate(path), `file:${path}`);
}

/** Reads the secrets from `env:NAME` or `file:PATH`. */
export function readMediaSecrets(source: string, env: NodeJS.ProcessEnv): MediaSecret[] {
  const text = readSource(source, { option: '--media-secrets', env, readFile });
  if (text !== undefined) return parseSecrets(text, source);
  // The value is not repeated: it may be the secret itself.
  throw usageError(
    '--media-secrets: it is not a source of secrets, and a secret itself would appear in the process list. Pass env:NAME or file:PATH.',
  );
}

export function createMediaSecret(): MediaSecret {
  return { id: randomBytes(3).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

/** Reads the file, or creates it with a new secret. If another process creates it first, its secret is used. */
function readOrCreate(path: string): string {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const text = readFileIfAny(path);
    if (text) return text;
    if (text === '') removeEmptyFile(path);
    createFileOnce(path, `${JSON.stringify([createMediaSecret()])}\n`);
  }
  throw secretsError(`file:${path}`, 'it can be neither read nor created', 'Remove the file or folder of this name');
}

/** Removes an empty file. If another process has replaced it meanwhile, its content is restored. */
function removeEmptyFile(path: string): void {
  const moved = temporaryPath(path);
  try {
    renameSync(path, moved);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const text = readFileSync(moved, 'utf8');
  if (text !== '') createFileOnce(path, text);
  rmSync(moved);
}

function readFile(path: string): string {
  const text = readFileIfAny(path);
  if (text !== undefined) return text;
  throw secretsError(`file:${path}`, 'the file does not exist', 'Pass a readable file');
}

function parseSecrets(text: string, source: string): MediaSecret[] {
  let secrets: unknown;
  try {
    secrets = JSON.parse(text);
  } catch {
    // The error below does not quote the parser, because its message quotes the text.
  }
  if (Array.isArray(secrets) && secrets.length === 0)
    throw secretsError(source, 'the array is empty', 'Write at least one { "id": string, "secret": string }');
  if (Array.isArray(secrets) && secrets.every(isMediaSecret)) return secrets;
  throw secretsError(source, 'it is not a JSON array of { "id": string, "secret": string }', 'Write a JSON array');
}

function isMediaSecret(value: unknown): value is MediaSecret {
  const { id, secret } = (value ?? {}) as Partial<MediaSecret>;
  return typeof id === 'string' && typeof secret === 'string';
}

function readFileIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw secretsError(`file:${path}`, `it cannot be read (${codeOf(error)})`, 'Pass a readable file');
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Does not repeat a source that looks like the secrets themselves. */
function secretsError(source: string, reason: string, advice: string): CommandError {
  const place = /["'{}[\]]/.test(source) ? 'a file' : JSON.stringify(source);
  return new CommandError(exitCodes.failed, `Failed to read media secrets from ${place}: ${reason}. ${advice}.`);
}
