/** Options of every place that takes some, by the place that an error names. */
const ownNames = {
  'the client': 'baseUrl auth fetch hooks allowInsecureHttp dangerouslyAllowBrowser mediaOrigins',
  'the client or a call': 'apiKey timeout totalTimeout retries maxRetryAfter maxResponseBytes validation headers',
  'a call': 'signal',
  'a wait': 'maxWait firstInterval maxInterval backoffFactor onPoll',
  watchMemories: 'interval initial state onError',
  mediaUrl: 'minimumLifetime',
  openMedia: 'headersTimeout stallTimeout maxBytes start onProgress',
  saveMedia: 'unknownEnd',
};

/** Names in other packages, after the options that they mean. The API has nothing like the last ones. */
const foreignNames = {
  apiKey: 'key token accessToken bearerToken authToken authorization credentials secret',
  baseUrl: 'url endpoint host baseUri prefixUrl apiUrl apiBase serverUrl',
  'timeout headersTimeout': 'timeoutMs timeoutMillis timeoutSeconds requestTimeout',
  'totalTimeout maxWait': 'deadline',
  retries: 'maxRetries retry numRetries retryCount retryLimit maxAttempts attempts',
  signal: 'abortSignal abortController controller cancelToken',
  fetch: 'agent httpAgent httpsAgent dispatcher proxy customFetch fetchFn',
  headers: 'defaultHeaders extraHeaders requestHeaders',
  'interval firstInterval': 'pollInterval pollingInterval intervalMs',
  maxWait: 'maxWaitMs waitTimeout',
  maxResponseBytes: 'maxBodySize maxContentLength maxResponseSize',
  validation: 'validate strict',
  mediaOrigins: 'allowedOrigins',
  '': 'limit page pageSize perPage cursor offset query params searchParams filter sort orderBy body method idempotencyKey',
};

const homes = new Map(pairsOf(ownNames));
const meanings = new Map([...homes.keys()].map((name) => [withoutStyle(name), name]));
for (const [name, meant] of pairsOf(foreignNames)) meanings.set(withoutStyle(name), meant);

/** The names that the endpoints accept in every call. */
export const callNames = [...homes].flatMap(([name, home]) => (home.endsWith('a call') ? name : []));

/** The options of a poll: it is one attempt, and the wait has its own limit. */
export const pollNames = callNames.filter((name) => name !== 'retries' && name !== 'totalTimeout');

/** Returns what to do instead of passing the option; undefined if it is allowed, or unknown to this package. */
export function optionRemedy(name: string, value: unknown, allowed: readonly string[]): string | undefined {
  if (allowed.includes(name) || (value === undefined && homes.has(name))) return undefined;
  const meant = allowed.find((one) => withoutStyle(one) === withoutStyle(name)) ?? meanings.get(withoutStyle(name));
  if (meant === '') return 'Remove it: the API has no such parameter.';
  const names = meant?.split(' ') ?? [];
  const usable = names.find((one) => allowed.includes(one));
  if (usable !== undefined) return `Use ${usable}.`;
  return names[0] && `Pass ${names[0]} to ${homes.get(names[0])}.`;
}

/** Returns a name without its case and separators. */
export function withoutStyle(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

function pairsOf(table: Readonly<Record<string, string>>): [name: string, of: string][] {
  return Object.entries(table).flatMap(([of, names]) => names.split(' ').map((name): [string, string] => [name, of]));
}
