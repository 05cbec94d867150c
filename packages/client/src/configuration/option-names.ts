/** The options of this package, by the place where they belong. */
const places = {
  'the client': 'baseUrl auth fetch hooks allowInsecureHttp dangerouslyAllowBrowser mediaOrigins',
  'the client or a call': 'apiKey timeout totalTimeout retries maxRetryAfter maxResponseBytes validation headers',
  'a call': 'signal',
  'a wait': 'maxWait firstInterval maxInterval backoffFactor onPoll',
  watchMemories: 'interval initial state onError',
  mediaUrl: 'minimumLifetime',
  openMedia: 'headersTimeout stallTimeout maxBytes start onProgress',
  saveMedia: 'unknownEnd',
};

/**
 * Names that other packages use, in plain letters. Each line begins with the options that such a name means, of which the
 * first that the method supports is shown. The API supports nothing like the names of the last line.
 */
const spellings = `apiKey (access|bearer|auth)?token|key|authorization|credentials|secret
baseUrl (prefix|api|server)?url|endpoint|host|baseuri|apibase
timeout,headersTimeout timeout(ms|millis|seconds)|requesttimeout
totalTimeout,maxWait deadline
retries (max|num)retries|retry(count|limit)?|(max)?attempts
signal abort(signal|controller)|controller|canceltoken
fetch (https?)?agent|dispatcher|proxy|customfetch|fetchfn
headers (default|extra|request)headers
interval,firstInterval poll(ing)?interval|intervalms
maxWait maxwaitms|waittimeout
maxResponseBytes max(bodysize|contentlength|responsesize)
validation validate|strict
mediaOrigins allowedorigins
 limit|page|pagesize|perpage|cursor|offset|query|(search)?params|filter|sort|orderby|body|method|idempotencykey`
  .split('\n')
  .map((line) => line.split(' ') as [options: string, spelling: string]);

/** The place of each option. */
const homes = new Map(
  Object.entries(places).flatMap(([place, names]) => names.split(' ').map((name): [string, string] => [name, place])),
);

/** The names that the endpoints accept in every call. */
export const callNames = [...homes.keys()].filter((name) => homes.get(name)?.endsWith('a call'));

/** The names that the client accepts. */
export const clientNames = [...homes.keys()].filter((name) => homes.get(name)?.startsWith('the client'));

/** The options of a poll: it is one attempt, and the wait has its own limit. */
export const pollNames = callNames.filter((name) => name !== 'retries' && name !== 'totalTimeout');

/** Returns the name of the option that a message is about, such as `hooks` for `hooks.onEnd`; undefined for an argument. */
export function optionOf(name: string): string | undefined {
  const option = name.replace(/\..*/, '');
  return homes.has(option) ? option : undefined;
}

/** Returns what to do instead of passing the option; undefined if it is allowed, or unknown to this package. */
export function optionRemedy(name: string, allowed: readonly string[]): string | undefined {
  if (allowed.includes(name)) return undefined;
  const plain = plainName(name);
  const own = [...allowed, ...homes.keys()].find((option) => plainName(option) === plain);
  const meant = own ?? spellings.find(([, spelling]) => new RegExp(`^(${spelling})$`).test(plain))?.[0];
  if (meant === undefined) return undefined;
  if (meant === '') return 'Remove it: the API has no such parameter.';
  const options = meant.split(',');
  const usable = options.find((option) => allowed.includes(option));
  return usable ? `Use ${usable}.` : `Pass ${options[0]} to ${homes.get(options[0] as string)}.`;
}

/** Returns a name in small letters without separators. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}
