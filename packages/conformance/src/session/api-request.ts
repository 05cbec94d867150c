import type { KeyName } from '../conformance-options.ts';
import type { MadeUpKey } from './made-up-keys.ts';

/** One request to the API. */
export interface ApiRequest {
  /** Below the base URL, with its query: `/v1/memories`. */
  target: string;
  /** `GET` by default; nothing else than `HEAD` and `OPTIONS` beside it. */
  method?: 'GET' | 'HEAD' | 'OPTIONS' | undefined;
  /** Which key is sent; none by default. */
  key?: KeyName | MadeUpKey | undefined;
  /** How it is sent; by default in a way that the server has been seen to accept. */
  scheme?: Scheme | undefined;
  /** Further headers, without secrets but for `{name}`, which stands for a key. */
  headers?: Record<string, string> | undefined;
  /** Number of a repetition that ignores the cached answer. */
  again?: number | undefined;
  /** Of the memories of a list nothing is kept but id, user_id and started_at: many whole lists would fill the memory. */
  onlyIds?: boolean | undefined;
}

/** The two headers of section 5. */
export type Scheme = 'bearer' | 'x-api-key';

/** Headers in which `{name}` stands for a key. */
export function headersOf({ key, scheme = 'bearer', headers }: ApiRequest): Record<string, string> {
  if (key === undefined) return { ...headers };
  return { ...(scheme === 'bearer' ? { Authorization: `Bearer {${key}}` } : { 'X-API-Key': `{${key}}` }), ...headers };
}

/** The request as people write it, keys by their names. */
export function describeRequest(request: ApiRequest): string {
  const headers = Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${value}`);
  const line = `${request.method ?? 'GET'} ${request.target}`;
  return headers.length === 0 ? `${line} without a key` : `${line} with ${headers.join(' and ')}`;
}
