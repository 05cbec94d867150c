import { edgeCases, recordedMedia } from '@memory-read/fixtures';
import type { ParityCase } from '../parity-case.ts';
import { accounts, keys, now } from '../world.ts';
import type { OracleRequest, OracleWorld } from './expectation.ts';
import type { SignedObject } from './expected-media-answer.ts';

/** The data of the world for the oracle. */
export const oracleWorld: OracleWorld = {
  accounts: new Map(
    Object.entries(keys)
      .filter(([, { state }]) => state === 'active')
      .map(([key, { userId }]) => [key, userId]),
  ),
  memories: new Map(Object.entries(accounts)),
};

/** Converts a case for the oracle. Media URLs follow docs/decisions/signed-media-urls.md. */
export function toOracleRequest(parityCase: ParityCase): { request: OracleRequest; signed: SignedObject | undefined } {
  const { method, path, headers = [], replace = ['', ''], afterSeconds = 0 } = parityCase;
  const [placeholder = '', kind = '', name = ''] = /^\{(\w+) of (\w+)\}/.exec(path) ?? [];
  const signed = placeholder === '' ? undefined : signedObject(kind, name, afterSeconds);
  const sent = (signed?.target ?? '') + path.slice(placeholder.length);
  const filled = headers.map(([header, value]) => [header, value.replace(/\{etag of \w+\}/, etag)] as const);
  return { request: { method, path: sent.replace(...replace), headers: filled }, signed };
}

const etag = '"the tag"';

function signedObject(kind: string, name: string, afterSeconds: number): SignedObject {
  const memory = edgeCases[name as keyof typeof edgeCases];
  const reference = memory.media[kind as 'audio'];
  if (!reference) throw new Error(`Failed to find media: ${name} has no ${kind}. Check the case.`);
  const path = reference.object_key.split('/').map(encodeURIComponent).join('/');
  const expires = Math.ceil(Date.parse(now) / 1000) + 3_600;
  const query = `expires=${expires}&type=${encodeURIComponent(reference.content_type)}&key=a&signature=b`;
  return {
    ...{ target: `/media/${path}?${query}`, contentType: reference.content_type, etag },
    size: recordedMedia(memory, kind as 'audio').size,
    remaining: expires - Date.parse(now) / 1000 - afterSeconds,
  };
}
