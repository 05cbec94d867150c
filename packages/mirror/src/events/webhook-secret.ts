import { createHmac } from 'node:crypto';
import { invalidOption } from '../options/check-options.ts';

/** Returns the keys of secrets: `whsec_` and 24 to 64 bytes in Base64. */
export function readSecrets(action: string, secret: unknown): Buffer[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  const keys = secrets.map(keyOf);
  if (keys.length > 0 && !keys.includes(undefined)) return keys as Buffer[];
  throw invalidOption(
    action,
    'secret is not whsec_ and 24 to 64 bytes in Base64',
    'Pass whsec_ and the output of: openssl rand -base64 32',
  );
}

function keyOf(secret: unknown): Buffer | undefined {
  const [, text] = (typeof secret === 'string' && /^whsec_(.+)$/.exec(secret)) || [];
  if (text === undefined) return undefined;
  const key = Buffer.from(text, 'base64');
  // Buffer skips what is not Base64. A verifier would refuse it, or read another key.
  return key.toString('base64') === text && key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** Returns a signature with each key, as Standard Webhooks says. */
export function signatures(keys: readonly Buffer[], content: string): string {
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');
}
