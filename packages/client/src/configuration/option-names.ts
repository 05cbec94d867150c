import {
  abortSignal,
  bodySize,
  callback,
  count,
  duration,
  factor,
  flag,
  interval,
  kind,
  type OptionKind,
  object,
  oneOf,
  origins,
  plainName,
} from './option-kinds.ts';

const client = 'the client';
const clientOrCall = 'the client or a call';

/** A value that is checked where it is used. */
const checkedLater = kind('supported', 'Pass a value, or leave it out.', (value) => value !== null);

/** The options of this package, by the place where they belong. */
const places: Record<string, Record<string, OptionKind>> = {
  [client]: {
    baseUrl: checkedLater,
    auth: oneOf('bearer', 'x-api-key', 'none'),
    fetch: callback,
    hooks: object,
    allowInsecureHttp: flag,
    dangerouslyAllowBrowser: flag,
    mediaOrigins: origins,
  },
  [clientOrCall]: {
    apiKey: checkedLater,
    timeout: duration,
    totalTimeout: duration,
    retries: count,
    maxRetryAfter: interval,
    maxResponseBytes: bodySize,
    validation: oneOf('strict', 'warn', 'skip', 'off'),
    headers: checkedLater,
  },
  'a call': { signal: abortSignal },
  'a wait': {
    maxWait: duration,
    firstInterval: interval,
    maxInterval: interval,
    backoffFactor: factor,
    onPoll: callback,
  },
  watchMemories: { interval, initial: oneOf('emit', 'skip'), state: checkedLater, onError: callback },
  mediaUrl: { minimumLifetime: interval, fresh: flag },
  openMedia: {
    headersTimeout: interval,
    stallTimeout: interval,
    maxBytes: count,
    start: checkedLater,
    onProgress: callback,
  },
  saveMedia: { unknownEnd: oneOf('refuse', 'accept') },
};

/** The kinds of options whose names can have a unit in other packages. */
const durations = [duration, interval] as (OptionKind | undefined)[];

const kinds = new Map(Object.values(places).flatMap((options) => Object.entries(options)));

/**
 * Names that other packages use, in plain letters. Each line begins with the options that such a name means, of which the
 * first that the method supports is shown. A line that begins with a space is for names that mean no option.
 */
const spellings =
  `apiKey (access|bearer|auth|api|id)?token|bearer|(xapi|access|tenant)?key|authorization|credentials|(client|api)?secret(key)?|jwt|pat
baseUrl (prefix|api|server)?url|endpoint|host|baseuri|apibase
timeout,headersTimeout (request)?timeout
totalTimeout,maxWait totaltimeout|deadline
retries (max|num)retries|retry(count|limit)?|(max)?attempts
signal abort(signal|controller)|controller|canceltoken
fetch (https?)?agent|dispatcher|proxy|customfetch|fetchfn
headers (default|extra|request)headers
interval,firstInterval (poll(ing)?)?interval
firstInterval initial(delay|interval)
maxInterval maxdelay
backoffFactor backoff(factor|multiplier)?|multiplier
maxWait waittimeout|maxpolls
maxResponseBytes max(body|response)size|maxcontentlength
validation validate|strict
mediaOrigins (media|allowed|trusted)(origin|host)s?
account (user|account|tenant)(id)?
 limit|page(size)?|perpage|cursor|offset|q(uery)?|(search)?params|filter|(sort|order)(by)?|body|method|idempotencykey|since|from|(starting)?after|before|status|include|search|(page|next)token|max(results)?|take|skip|top|first|count`
    .split('\n')
    .map((line) => line.split(' ') as [options: string, spelling: string]);

/** Returns the names of the options that belong to places. */
export function namesOf(...names: readonly string[]): string[] {
  return names.flatMap((name) => Object.keys(places[name] as object));
}

/** The names that the endpoints accept in every call. */
export const callNames = namesOf(clientOrCall, 'a call');

/** The names that the client accepts. */
export const clientNames = namesOf(client, clientOrCall);

/** The options of a poll: it is one attempt, and the wait has its own limit. */
export const pollNames = callNames.filter((name) => name !== 'retries' && name !== 'totalTimeout');

/** Returns the kind of an option. */
export function kindOf(name: string): OptionKind | undefined {
  return kinds.get(name);
}

/** Returns the name of the option that a message is about, such as `hooks` for `hooks.onEnd`; undefined for an argument. */
export function optionOf(name: string): string | undefined {
  const option = name.replace(/\..*/, '');
  return kinds.has(option) ? option : undefined;
}

/** Returns what to do instead of passing the option; undefined if it is allowed, or unknown to this package. */
export function optionRemedy(name: string, allowed: readonly string[]): string | undefined {
  if (allowed.includes(name)) return undefined;
  const plain = plainName(name);
  const withoutUnit = plainName(name.replace(/[-_ ]s$|(ms|millis|(milli)?sec(ond)?s?)$/i, ''));
  const own = [...kinds.keys()].find((option) =>
    [plain, durations.includes(kindOf(option)) && withoutUnit].includes(plainName(option)),
  );
  const isMeant = (spelling: string) => new RegExp(`^(${spelling})$`, 'm').test(`${plain}\n${withoutUnit}`);
  const meant = spellings.find(([, spelling]) => isMeant(spelling))?.[0] ?? own;
  if (meant === undefined) return undefined;
  if (meant === '') return 'Remove it: the API has no such parameter.';
  if (meant === 'account') return 'Use apiKey: the API reads the account of the key.';
  const options = meant.split(',');
  const usable = options.find((option) => allowed.includes(option));
  if (usable) return `Use ${usable}.`;
  const [option = ''] = options;
  return `Pass ${option} to ${Object.keys(places).find((place) => places[place]?.[option])}.`;
}
