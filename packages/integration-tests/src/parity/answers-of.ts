import { edgeCases } from '@memory-read/fixtures';
import { allCases } from './cases/all-cases.ts';
import type { ParityHost } from './hosts/parity-host.ts';
import { type Answer, toAnswer } from './normal-answer.ts';
import type { ParityCase, ParityRequest } from './parity-case.ts';
import { now } from './world.ts';

const parallel = 16;

/** Sends cases to a host. Returns its responses by the title of the case, without those that it cannot be sent. */
export async function answersOf(host: ParityHost, cases = allCases): Promise<Map<string, Answer>> {
  const fill = await createFiller(host);
  const answers = new Map<string, Answer>();
  const ask = async (parityCase: ParityCase) => {
    const request = fill(parityCase);
    if (!host.canSend(request)) return;
    answers.set(parityCase.title, toAnswer(await host.send(request), host.baseUrl));
  };
  const present = cases.filter(({ afterSeconds }) => afterSeconds === undefined);
  for (let index = 0; index < present.length; index += parallel) {
    await Promise.all(present.slice(index, index + parallel).map(ask));
  }
  // Cases at another time run alone, because the clock of the host is shared.
  for (const later of cases.filter((parityCase) => !present.includes(parityCase))) {
    await host.setClock(new Date(Date.parse(now) + (later.afterSeconds ?? 0) * 1000));
    await ask(later);
  }
  await host.setClock(new Date(now));
  return answers;
}

/** Replaces placeholders by real URLs and entity tags of the host. */
async function createFiller({ name: hostName, baseUrl, send }: ParityHost) {
  const headers: ParityRequest['headers'] = [['X-API-Key', 'key-of-gallery']];
  const list = await send({ method: 'GET', url: `${baseUrl}/v1/memories`, headers, body: undefined });
  const memories: Record<string, unknown>[] = JSON.parse(list.body.toString());
  const urlOf = (kind: string, name: string) => {
    const { id } = edgeCases[name as keyof typeof edgeCases];
    const url = String(memories.find((memory) => memory.id === id)?.[`${kind}_url`]);
    if (url.startsWith(`${baseUrl}/`)) return url;
    throw new Error(`Failed to read a media URL: ${hostName} has no ${kind} of ${name}. Check the world.`);
  };
  const audio = await send({ method: 'HEAD', url: urlOf('audio', 'otherMediaTypes'), headers: [], body: undefined });
  const etag = audio.headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
  return ({ method, path, headers = [], body, replace = ['', ''] }: ParityCase): ParityRequest => {
    const target = path.replace(/^\{(\w+) of (\w+)\}/, (_, kind, name) => urlOf(kind, name).slice(baseUrl.length));
    const filled = headers.map(([name, value]): [string, string] => [name, value.replace('{etag of audio}', etag)]);
    return { method, url: baseUrl + target.replace(...replace), headers: filled, body };
  };
}
