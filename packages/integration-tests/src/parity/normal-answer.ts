import { createHash } from 'node:crypto';
import type { RawAnswer } from './parity-case.ts';

/** A response with placeholders for hosts, request ids, signatures, tags and dates, which change with each run. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** A value for JSON, if writing it gives the same text. Otherwise the text, or a digest of a long or binary body. */
  body: unknown;
}

// These headers depend on the connection, not on the response.
const ofTheConnection = ['connection', 'keep-alive', 'transfer-encoding'];
const longestShown = 1_200;
const beginning = 600;

export function toAnswer({ status, headers, body }: RawAnswer, baseUrl: string): Answer {
  const isJson = headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /json/.test(value));
  // The Node adapter knows the length of only some texts before it sends them. The mock knows all.
  const ignored = isJson ? [...ofTheConnection, 'content-length'] : ofTheConnection;
  const kept = headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !ignored.includes(name))
    .map(([name, value]): [string, string] => [name, normalHeader(name, value)]);
  return {
    status,
    headers: Object.fromEntries(kept.sort(([first], [second]) => (first < second ? -1 : 1))),
    body: isJson ? jsonBody(normalText(body.toString(), baseUrl)) : binaryBody(body),
  };
}

function normalHeader(name: string, value: string): string {
  if (name === 'date') return Number.isNaN(Date.parse(value)) ? value : '<date>';
  if (name === 'etag') return /^"[^"]+"$/.test(value) ? '<etag>' : value;
  return name === 'x-request-id' ? value.replace(/^req_\w{22,}$/, '<request id>') : value;
}

/** Replaces the start of a media URL by `baseUrl`, and hides what depends on secrets. */
function normalText(text: string, baseUrl: string): string {
  return text
    .replaceAll(`"${baseUrl}/`, '"<base>/')
    .replace(/&key=[\w-]+&signature=[\w-]{43}"/g, '&key=<secret>&signature=<signature>"');
}

function jsonBody(text: string): unknown {
  const value = parsed(text);
  if (text.length <= longestShown) return JSON.stringify(value) === text ? value : text;
  const ids = Array.isArray(value) && { ids: value.map(({ id }) => id) };
  return { characters: text.length, sha256: digest(text), begins: text.slice(0, beginning), ...ids };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function binaryBody(body: Buffer): unknown {
  return body.length === 0 ? '' : { bytes: body.length, sha256: digest(body) };
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
