import { edgeCases } from '@memory-read/fixtures';
import type { ParityHost } from './hosts/parity-host.ts';
import { type Answer, toAnswer } from './normal-answer.ts';
import type { ParityCase, ParityRequest } from './parity-case.ts';
import { now } from './world.ts';

/** What a host answered, by the title of the case; and what could not be sent to it, by the reason. */
export interface Asked {
  answers: Map<string, Answer>;
  refused: Map<string, string[]>;
}

/** Asks a host one case, at the time that it names. */
export type Ask = (parityCase: ParityCase) => Promise<{ answer: Answer } | { refusal: string }>;

export function createAsk(host: ParityHost): Ask {
  const fill = createFiller(host);
  return async (parityCase) => {
    const request = await fill(parityCase);
    const refusal = host.refusal(request);
    if (refusal !== undefined) return { refusal };
    const { afterSeconds } = parityCase;
    if (afterSeconds !== undefined) await host.setClock(after(afterSeconds));
    const answer = toAnswer(await host.send(request), host.baseUrl);
    if (afterSeconds !== undefined) await host.setClock(after(0));
    return { answer };
  };
}

const atOnce = 16;

/** Asks a host all of it, many at once but for those at another time, because the clock is one for all. */
export async function askAll(host: ParityHost, cases: readonly ParityCase[]): Promise<Asked> {
  const ask = createAsk(host);
  const asked: Asked = { answers: new Map(), refused: new Map() };
  const keep = async (parityCase: ParityCase) => {
    const outcome = await ask(parityCase);
    if ('answer' in outcome) asked.answers.set(parityCase.title, outcome.answer);
    else asked.refused.set(outcome.refusal, [...(asked.refused.get(outcome.refusal) ?? []), parityCase.title]);
  };
  const present = cases.filter(({ afterSeconds }) => afterSeconds === undefined);
  for (let index = 0; index < present.length; index += atOnce) {
    await Promise.all(present.slice(index, index + atOnce).map(keep));
  }
  for (const later of cases.filter((parityCase) => !present.includes(parityCase))) await keep(later);
  return asked;
}

/** How many were asked and what was not, for people. */
export function describeAsked({ name }: ParityHost, { answers, refused }: Asked): string {
  const reasons = Array.from(refused, ([reason, titles]) => `${titles.length} not sent, because ${reason}`);
  return [`${name}: ${answers.size} requests answered`, ...reasons].join('; ');
}

function after(seconds: number): Date {
  return new Date(Date.parse(now) + seconds * 1000);
}

/** Puts real URLs and entity tags of the host in place of placeholders. */
function createFiller(host: ParityHost): (parityCase: ParityCase) => Promise<ParityRequest> {
  const targets = new Map<string, Promise<string>>();
  const etags = new Map<string, Promise<string>>();
  const once = (known: Map<string, Promise<string>>, name: string, find: () => Promise<string>) => {
    const found = known.get(name) ?? find();
    known.set(name, found);
    return found;
  };
  const targetOf = (kind: string, name: string) =>
    once(targets, `${kind} of ${name}`, () => readMediaTarget(host, kind, name));
  const etagOf = (kind: string) =>
    once(etags, kind, async () => readEtag(host, await targetOf(kind, 'otherMediaTypes')));

  return async ({ method, path, headers = [], body, replace = ['', ''] }) => {
    const [placeholder = '', kind = '', name = ''] = /^\{(\w+) of (\w+)\}/.exec(path) ?? [];
    const target = placeholder === '' ? path : (await targetOf(kind, name)) + path.slice(placeholder.length);
    const filled = headers.map(async ([header, value]): Promise<[string, string]> => {
      const [found = '', etagKind = ''] = /\{etag of (\w+)\}/.exec(value) ?? [];
      return [header, found === '' ? value : value.replace(found, await etagOf(etagKind))];
    });
    const url = host.baseUrl + target.replace(...replace);
    return { method, url, headers: await Promise.all(filled), body };
  };
}

async function readMediaTarget(host: ParityHost, kind: string, name: string): Promise<string> {
  const { id } = edgeCases[name as keyof typeof edgeCases];
  const url = `${host.baseUrl}/v1/memories/${encodeURIComponent(id)}`;
  const answer = await host.send({ method: 'GET', url, headers: [['X-API-Key', 'key-of-gallery']], body: undefined });
  const found: unknown = JSON.parse(answer.body.toString())[`${kind}_url`];
  if (typeof found === 'string' && found.startsWith(`${host.baseUrl}/`)) return found.slice(host.baseUrl.length);
  throw new Error(`Failed to read a media URL: because ${host.name} has no ${kind} of ${name}. Check the world.`);
}

async function readEtag(host: ParityHost, target: string): Promise<string> {
  const answer = await host.send({ method: 'HEAD', url: host.baseUrl + target, headers: [], body: undefined });
  return answer.headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
}
