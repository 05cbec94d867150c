import { edgeCases } from '@memory-read/fixtures';
import type { ParityHost } from './hosts/parity-host.ts';
import { type Answer, toAnswer } from './normal-answer.ts';
import type { ParityCase, ParityRequest } from './parity-case.ts';
import { now } from './world.ts';

/** The responses of a host by the title of the case, and the cases that could not be sent to it by the reason. */
export interface Asked {
  answers: Map<string, Answer>;
  refused: Map<string, string[]>;
}

/** Sends a case to a host, at the time that the case names. */
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

/** Sends all cases to a host. Cases at another time run alone, because the clock of the host is shared. */
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

/** Returns how many cases were sent and which were not, as text. */
export function describeAsked({ name }: ParityHost, { answers, refused }: Asked): string {
  const reasons = Array.from(refused, ([reason, titles]) => `${titles.length} not sent: ${reason}`);
  return [`${name}: ${answers.size} requests answered`, ...reasons].join('; ');
}

function after(seconds: number): Date {
  return new Date(Date.parse(now) + seconds * 1000);
}

/** Replaces placeholders by real URLs and entity tags of the host. */
function createFiller(host: ParityHost): (parityCase: ParityCase) => Promise<ParityRequest> {
  let media: ReturnType<typeof readMedia> | undefined;
  return async ({ method, path, headers = [], body, replace = ['', ''] }) => {
    media ??= readMedia(host);
    const { targetOf, etag } = await media;
    const target = path.replace(/^\{(\w+) of (\w+)\}/, (_, kind, name) => targetOf(kind, name)).replace(...replace);
    const filled = headers.map(([name, value]): [string, string] => [name, value.replace('{etag of audio}', etag)]);
    return { method, url: host.baseUrl + target, headers: filled, body };
  };
}

/** Reads the URL of each medium of the gallery, and the entity tag of the sample audio. */
async function readMedia({ name: hostName, baseUrl, send }: ParityHost) {
  const headers: ParityRequest['headers'] = [['X-API-Key', 'key-of-gallery']];
  const list = await send({ method: 'GET', url: `${baseUrl}/v1/memories`, headers, body: undefined });
  const memories: Record<string, unknown>[] = JSON.parse(list.body.toString());
  const targetOf = (kind: string, name: string) => {
    const { id } = edgeCases[name as keyof typeof edgeCases];
    const url = String(memories.find((memory) => memory.id === id)?.[`${kind}_url`]);
    if (url.startsWith(`${baseUrl}/`)) return url.slice(baseUrl.length);
    throw new Error(`Failed to read a media URL: ${hostName} has no ${kind} of ${name}. Check the world.`);
  };
  const url = baseUrl + targetOf('audio', 'otherMediaTypes');
  const head = await send({ method: 'HEAD', url, headers: [], body: undefined });
  return { targetOf, etag: head.headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '' };
}
