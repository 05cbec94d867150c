import type { KeyName } from '../conformance-options.ts';
import type { MadeUpKey } from './made-up-keys.ts';

/** One request to the API. */
export interface ApiRequest {
  /** Path below the base URL, with its query, such as `/v1/memories`. */
  target: string;
  /** HTTP method. Default: `GET`. */
  method?: 'GET' | 'HEAD' | 'OPTIONS' | undefined;
  /** Name of the key to send. Default: none. */
  key?: KeyName | MadeUpKey | undefined;
  /** Header of the key. By default it is one that the server has accepted. */
  scheme?: Scheme | undefined;
  /** Further headers. `{name}` stands for a key, so that they contain no secret. */
  headers?: Record<string, string> | undefined;
  /** Number of a repetition, which bypasses the cached response. */
  again?: number | undefined;
  /**
   * Whether to store only id, user_id and started_at of a list, because many complete lists would exhaust the memory.
   */
  onlyIds?: boolean | undefined;
}

/** The two headers of section 5. */
export type Scheme = 'bearer' | 'x-api-key';

/** Returns headers in which `{name}` stands for a key. */
export function headersOf({ key, scheme = 'bearer', headers }: ApiRequest): Record<string, string> {
  if (key === undefined) return { ...headers };
  return { ...(scheme === 'bearer' ? { Authorization: `Bearer {${key}}` } : { 'X-API-Key': `{${key}}` }), ...headers };
}

/** Describes the request for people, with the names of keys. */
export function describeRequest(request: ApiRequest): string {
  const headers = Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${value}`);
  const line = `${request.method ?? 'GET'} ${request.target}`;
  return headers.length === 0 ? `${line} without a key` : `${line} with ${headers.join(' and ')}`;
}
