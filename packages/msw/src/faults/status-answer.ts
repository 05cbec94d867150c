import { type OperationId, problems } from '@memory-read/contract/operations';
import type { StatusFault } from './fault.ts';

/** Returns the response of a status fault. */
export function statusAnswer(fault: StatusFault, operation: OperationId | null): Response {
  const { status, retryAfter, retryAfterSeconds, style = 'json' } = fault;
  const detail = fault.detail ?? detailOf(status, operation);
  const [contentType, body] = bodies[style](detail, status);
  const headers = new Headers({
    'content-type': contentType,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  if (status === 405) headers.set('allow', 'GET, HEAD');
  const seconds = retryAfter === undefined ? retryAfterSeconds : retryAfter / 1000;
  if (seconds !== undefined) headers.set('retry-after', String(seconds));
  return new Response(body, { status, headers });
}

type Body = [contentType: string, body: string];

const json = (detail: unknown): Body => ['application/json', JSON.stringify({ detail })];
const text = (detail: string): Body => ['text/plain; charset=utf-8', detail];

const bodies: Record<NonNullable<StatusFault['style']>, (detail: string, status: number) => Body> = {
  json,
  text,
  html: (detail, status) => ['text/html; charset=utf-8', htmlPage(`${status} ${detail}`)],
  fastapi(detail, status) {
    if (status === 422) return json([{ type: 'value_error', loc: ['path', 'memory_id'], msg: detail, input: '' }]);
    // Starlette sends this text for an unhandled exception.
    return status === 500 ? text('Internal Server Error') : json(detail);
  },
};

function htmlPage(title: string): string {
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<html>\r\n<head><title>${escaped}</title></head>\r\n<body>\r\n<center><h1>${escaped}</h1></center>\r\n</body>\r\n</html>\r\n`;
}

/** Returns the server's text for this status. If it has none, returns the registered name or the number. */
function detailOf(status: number, operation: OperationId | null): string {
  if (status === 404 && operation !== 'getMemory') return problems['route-not-found'].detail;
  if (status === 401) return problems['invalid-api-key'].detail;
  const [, problem] = Object.entries(problems).find(([name, row]) => row.status === status && isOfApi(name)) ?? [];
  return problem?.detail ?? reasonPhrases[status] ?? `Status ${status}`;
}

/** The problems of the media host have no operation. */
function isOfApi(problemName: string): boolean {
  return !problemName.startsWith('media-');
}

/** From the registry of HTTP status codes. */
const reasonPhrases: Record<number, string> = {
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
