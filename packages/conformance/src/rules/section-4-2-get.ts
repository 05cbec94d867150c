import { pathOf, type Reader } from '../reading/create-reader.ts';
import { isAddressable, isObject } from '../reading/memory-value.ts';
import type { Answer } from '../session/answer.ts';
import { SkippedError } from '../session/unanswered.ts';
import { compareNotFound } from './compare-not-found.ts';
import { judgeError } from './judge-error.ts';
import { evidence, evidenceOf, type Rule, rulesOf } from './rule.ts';

/** Section 4.2: one memory. */
export const getRules: readonly Rule[] = rulesOf('4.2', [
  {
    id: '4.2 Success',
    title: 'GET /v1/memories/{memory_id} returns 200 and one JSON object for a listed memory',
    statements: ['1.1', '4.2 Method and path', '4.2 Path parameter', '4.2 Success', '9.1'],
    async check(reader) {
      const { processed } = await reader.sample();
      if (processed.length === 0) throw new SkippedError('no memory in the list is processed');
      for (const { id } of processed) {
        const answer = await reader.send({ target: pathOf(id), key: 'apiKey' });
        const isMemory = answer.status === 200 && isObject(answer.json);
        if (!isMemory) return evidence(answer, '200 with a JSON object');
      }
      return undefined;
    },
  },
  {
    id: '4.2 Errors',
    title: 'The detail endpoint returns no errors except 401, 404, 422 and 500',
    statements: ['4.2 Errors', '7.1'],
    async check(reader) {
      const path = await reader.somePath();
      const senders = [
        () => reader.send({ target: path }),
        () => reader.send({ target: path, key: 'wrong' }),
        () => requestUnknown(reader),
      ];
      for (const send of senders) {
        const answer = await send();
        if (![200, 401, 404, 422, 500].includes(answer.status)) return evidence(answer, '200, 401, 404, 422 or 500');
      }
      return undefined;
    },
  },
  {
    id: '4.2.1',
    title: 'The detail endpoint returns the requested memory, with the same user_id as the list',
    async check(reader) {
      const { memories } = await reader.list();
      const listed = new Map(memories.filter(isAddressable).map((memory) => [pathOf(memory.id), memory]));
      const findings = (await reader.processed()).flatMap((at) => {
        const [, path = ''] = at.answer.sent.split(' ');
        const listedMemory = listed.get(path);
        const fields = ['id', 'user_id'].filter((field) => Object.hasOwn(at.memory, field));
        return fields
          .filter((field) => listedMemory !== undefined && at.memory[field] !== listedMemory[field])
          .map((field) => ({ at, text: `${field} differs from the list` }));
      });
      return evidenceOf(findings, 'the same id and user_id as in the list');
    },
  },
  {
    id: '4.2.2 unknown',
    title: 'An unknown memory is a 404, "Memory not found"',
    statements: ['4.2.1', '4.2.2', '7 (404)'],
    check: async (reader) => judgeError(await requestUnknown(reader), 404, 'Memory not found'),
  },
  {
    id: '4.2.2 other account',
    title: 'A memory of another account gets the same response as an unknown memory',
    statements: ['4.2.1', '4.2.2', '7 (404)'],
    needs: ['otherAccountApiKey'],
    check: compareNotFound,
  },
  {
    id: '4.2.3',
    title: 'A processed memory has a transcript and a summary',
    statements: ['2.1 summary', '2.1 transcript', '3 Processed', '4.2.3'],
    async check(reader) {
      const read = await reader.processed();
      for (const field of ['transcript', 'summary']) {
        const withField = read.filter(({ memory }) => Object.hasOwn(memory, field));
        // A memory without speech may have none.
        const isMissing = withField.length > 0 && withField.every(({ memory }) => memory[field] === null);
        if (isMissing)
          return evidenceOf(
            withField.map((at) => ({ at, text: `${field} is null` })),
            `a ${field}`,
          );
      }
      return undefined;
    },
  },
]);

async function requestUnknown(reader: Reader): Promise<Answer> {
  return reader.send({ target: (await reader.unknownPaths())[0], key: 'apiKey' });
}
