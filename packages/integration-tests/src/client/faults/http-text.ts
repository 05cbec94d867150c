import { apiKey, signedUrl } from './samples.ts';

interface ResponseParts {
  readonly headers?: Readonly<Record<string, string>>;
  /** ASCII. */
  readonly body?: string;
}

/** Returns a complete HTTP response as text, with its length. */
export function response(status: number, { headers = {}, body = '' }: ResponseParts = {}): string {
  return head(status, { 'content-length': String(body.length), ...headers }) + body;
}

/** Returns a response with a JSON body. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): string {
  return response(status, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

/** Returns the status line and the headers, with the empty line after them. */
export function head(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Fault\r\n${lines.join('')}\r\n`;
}

/** The head of a response whose body ends with the connection. */
export function openHead(status: number, headers: Readonly<Record<string, string>> = {}): string {
  return head(status, { 'content-type': 'application/json', connection: 'close', ...headers });
}

/** An HTML page like those of proxies and portals. It repeats the key and a signed URL. */
export function page(status: number): string {
  const body = `<!doctype html><a href="${signedUrl}">Sign in with ${apiKey}</a>`;
  return response(status, { headers: { 'content-type': `text/html; x=${apiKey}` }, body });
}

/** The list of an account without memories. */
export const emptyList = json(200, []);
