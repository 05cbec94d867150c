import { problems } from '@memory-read/contract/operations';
import type { RequestTarget } from '../request-log/request-target.ts';
import type { StatusFault } from './fault.ts';
import { withoutHeaders } from './without-headers.ts';

/** Returns the response of a status fault: the server's `answer` with another status, and what belongs to it. */
export function statusAnswer(fault: StatusFault, { operation, answer, now }: StatusContext): Response {
  const { status, style = 'json' } = fault;
  const detail = fault.detail ?? detailOf(status, operation);
  const [contentType, body] = bodies[style](detail, status);
  // Scripts of a page can read the status of media only with the other headers of the storage.
  const headers = new Headers(withoutHeaders(answer.headers, ofTheAnswer));
  headers.set('content-type', contentType);
  headers.set('cache-control', 'private, no-store');
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  if (status === 405) headers.set('allow', 'GET, HEAD');
  const seconds = fault.retryAfter === undefined ? fault.retryAfterSeconds : fault.retryAfter / 1000;
  if (seconds !== undefined) {
    // A date of HTTP has no fractions, and the client must not wait for less time.
    const date = new Date((Math.ceil(now.getTime() / 1000) + seconds) * 1000);
    headers.set('retry-after', fault.retryAfterStyle === 'date' ? date.toUTCString() : String(seconds));
  }
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
  return new Response(body, { status, headers });
}

interface StatusContext {
  operation: RequestTarget['operation'];
  answer: Response;
  /** Time on the clock of the mock. */
  now: Date;
}

/** Headers that belong to the status or to the body of a response. */
const ofTheAnswer = ['accept-ranges', 'allow', 'content-length', 'content-range', 'etag', 'www-authenticate'];

type Body = [contentType: string, body: string];

const json = (detail: unknown): Body => ['application/json', JSON.stringify({ detail })];
const text = (detail: string): Body => ['text/plain; charset=utf-8', detail];

const bodies: Record<NonNullable<StatusFault['style']>, (detail: string, status: number) => Body> = {
  json,
  text,
  html: (detail, status) => ['text/html; charset=utf-8', htmlPage(`${status} ${detail}`)],
  xml: (detail, status) => ['application/xml', xmlError(codes[status] ?? phraseOf(status).replace(/\W/g, ''), detail)],
  fastapi(detail, status) {
    if (status === 422) return json([{ type: 'value_error', loc: ['path', 'memory_id'], msg: detail, input: '' }]);
    // Starlette sends this text for an unhandled exception.
    return status === 500 ? text('Internal Server Error') : json(detail);
  },
};

function htmlPage(title: string): string {
  const escaped = escapeMarkup(title);
  return `<html>\r\n<head><title>${escaped}</title></head>\r\n<body>\r\n<center><h1>${escaped}</h1></center>\r\n</body>\r\n</html>\r\n`;
}

function xmlError(code: string, detail: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeMarkup(detail)}</Message></Error>`;
}

/** Codes of S3. */
const codes: Record<number, string> = {
  403: 'AccessDenied',
  404: 'NoSuchKey',
  405: 'MethodNotAllowed',
  412: 'PreconditionFailed',
  416: 'InvalidRange',
  500: 'InternalError',
  503: 'SlowDown',
};

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Returns the server's text for this status. If it has none, returns the registered name or the number. */
function detailOf(status: number, operation: RequestTarget['operation']): string {
  const isOfHost = operation === 'media' ? isOfStorage : isOfApi;
  const [, problem] =
    Object.entries(problems).find(([name, row]) => row.status === status && isOfHost(name, operation)) ?? [];
  return problem?.detail ?? phraseOf(status);
}

function phraseOf(status: number): string {
  return reasonPhrases[status] ?? `Status ${status}`;
}

function isOfStorage(problemName: string): boolean {
  return !/api-key|memory|route/.test(problemName);
}

function isOfApi(problemName: string, operation: RequestTarget['operation']): boolean {
  if (problemName === 'memory-not-found') return operation === 'getMemory';
  return problemName !== 'missing-api-key' && !problemName.startsWith('media-');
}

/** From the registry of HTTP status codes. */
const reasonPhrases: Record<number, string> = {
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  451: 'Unavailable For Legal Reasons',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  510: 'Not Extended',
  511: 'Network Authentication Required',
};
