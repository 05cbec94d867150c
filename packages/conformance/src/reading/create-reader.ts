import type { KeyName } from '../conformance-options.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiRequest, Scheme } from '../session/api-request.ts';
import type { Session } from '../session/create-session.ts';
import { isSkipped, isUnanswered, SkippedError } from '../session/unanswered.ts';
import { chooseSample, type Sample } from './choose-sample.ts';
import { type AddressableMemory, idsOf, isAddressable, isObject, type MemoryValue } from './memory-value.ts';
import { type StructureIssue, structureIssues } from './structure-issues.ts';
import { unknownIds } from './unknown-ids.ts';

/** The values that rules read. Each value is requested once, when the first rule needs it. */
export interface Reader {
  /** See {@link Session.send}. A key is sent in a header that the server accepts. */
  send(request: ApiRequest): Promise<Answer>;
  requestMedia: Session['requestMedia'];
  hasKey: Session['hasKey'];
  /** Returns the list of an account. @throws SkippedError if it cannot be read. */
  list(key?: KeyName): Promise<MemoryList>;
  /** Returns the memories that are read one by one. @throws SkippedError if there is no list. */
  sample(): Promise<Sample>;
  /** Returns the processed memories of the sample that could be read. @throws SkippedError if there are none. */
  processed(): Promise<ReadMemory[]>;
  /** Returns every memory of the account that was read, in lists and one by one. @throws SkippedError if there are none. */
  memories(): Promise<ReadMemory[]>;
  /** Returns the path of a memory, or a possible path if the account has none. */
  somePath(): Promise<string>;
  /**
   * Returns paths of memories that do not exist, with ids that the server accepts as well-formed. The response for the
   * first path is cached.
   *
   * @throws SkippedError if the server calls every made-up id malformed.
   */
  unknownPaths(): Promise<[string, ...string[]]>;
}

export interface MemoryList {
  answer: Answer;
  memories: MemoryValue[];
}

/** A memory, and its response. */
export interface ReadMemory {
  answer: Answer;
  /** Its position in the response: `[3].` in a list, empty for a single memory. */
  place: string;
  memory: MemoryValue;
  /** Violations of section 2 in its structure. */
  issues: readonly StructureIssue[];
}

export const listPath = '/v1/memories';

/** Returns the path of the memory with an id. */
export function pathOf(id: string): string {
  return `${listPath}/${encodeURIComponent(id)}`;
}

export function createReader(session: Session): Reader {
  const { requestMedia, hasKey, redactRequest } = session;
  const scheme = once(() => acceptedScheme(session));
  const reader: Reader = {
    requestMedia,
    hasKey,
    async send(request) {
      return session.send(request.key === undefined ? request : { scheme: await scheme(), ...request });
    },
    async list(key = 'apiKey') {
      const answer = await skipUnanswered(reader.send({ target: listPath, key }));
      if (answer.status === 401 && key === 'apiKey') throw new SkippedError(keyRefused);
      if (answer.status === 200 && Array.isArray(answer.json)) {
        return { answer, memories: answer.json.filter(isObject) };
      }
      throw new SkippedError(`the list of ${key} could not be read (see 4.1 Success)`);
    },
    sample: async () => chooseSample((await reader.list()).memories),
    processed: once(async () => {
      const read = await readEach(reader, (await reader.sample()).processed);
      if (read.length === 0) throw new SkippedError('no processed memory could be read (see 4.2 Success)');
      return read;
    }),
    memories: once(async () => {
      const { answer, memories } = await reader.list();
      if (memories.length === 0) throw new SkippedError('the account has no memories');
      const { processed, processing } = await reader.sample();
      const alone = await readEach(reader, [...processed, ...processing]);
      return [...readListed(answer, memories), ...alone];
    }),
    async somePath() {
      const { processed, processing } = await reader.sample().catch(() => ({ processed: [], processing: [] }));
      return pathOf(processed[0]?.id ?? processing[0]?.id ?? exampleId);
    },
    unknownPaths: once(async () => {
      const { memories } = await reader.list();
      const { processed, processing } = await reader.sample();
      const id = processed[0]?.id ?? processing[0]?.id ?? exampleId;
      // A made-up id that is derived from an id with a key would still reveal most of the key.
      const example = redactRequest(id) === id ? id : exampleId;
      const paths = unknownIds(example, idsOf(memories))
        .filter((made) => isAddressable({ id: made }))
        .map(pathOf);
      while (paths[0] !== undefined) {
        const [first, ...others] = paths;
        const { status } = await reader.send({ target: first, key: 'apiKey' });
        if (status !== 422) return [first, ...others];
        paths.shift();
      }
      throw new SkippedError('the server rejects every generated unknown id as malformed (422)');
    }),
  };
  return reader;
}

/** Reason for skipped rules if the server answers the key with 401. */
export const keyRefused = 'the server rejected the key (401)';

const exampleId = 'mem_01J00000000000000000000000';

async function acceptedScheme(session: Session): Promise<Scheme> {
  const isAccepted = async (scheme: Scheme) => {
    const answer = await session.send({ target: listPath, key: 'apiKey', scheme }).catch(ignoreUnanswered);
    return answer?.status !== 401;
  };
  return (await isAccepted('bearer')) || !(await isAccepted('x-api-key')) ? 'bearer' : 'x-api-key';
}

async function readEach(reader: Reader, memories: readonly AddressableMemory[]): Promise<ReadMemory[]> {
  const read: ReadMemory[] = [];
  for (const { id } of memories) {
    const answer = await reader.send({ target: pathOf(id), key: 'apiKey' }).catch(ignoreUnanswered);
    if (answer?.status === 200 && isObject(answer.json)) {
      const memory = answer.json;
      read.push({ answer, place: '', memory, issues: structureIssues(memory) });
    }
  }
  return read;
}

/** After many invalid memories, the others are not validated: their issues would fill the memory. */
function readListed(answer: Answer, memories: readonly MemoryValue[]): ReadMemory[] {
  let broken = 0;
  return memories.map((memory, index) => {
    const issues = broken < maxBroken ? structureIssues(memory) : [];
    if (issues.length > 0) broken += 1;
    return { answer, place: `[${index}].`, memory, issues };
  });
}

const maxBroken = 1000;

/** Only the rule about this request fails if there is no answer. Other rules are skipped. */
async function skipUnanswered(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (isUnanswered(error)) throw new SkippedError(`${error.sent} got no response: ${error.reason}`);
    throw error;
  }
}

function ignoreUnanswered(error: unknown): undefined {
  if (!isUnanswered(error) && !isSkipped(error)) throw error;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
