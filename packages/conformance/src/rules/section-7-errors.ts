import { listPath, type Reader } from '../reading/create-reader.ts';
import type { Answer } from '../session/answer.ts';
import { isSkipped } from '../session/unanswered.ts';
import { hasDetail } from './judge-error.ts';
import { evidence, type Rule, rulesOf } from './rule.ts';

/** Section 7: errors. */
export const errorRules: readonly Rule[] = rulesOf('7', [
  {
    id: '7',
    title: 'Every error is a JSON object with a string detail',
    statements: ['2.5 detail', '7'],
    async check(reader) {
      const path = await reader.somePath();
      const answers = [
        await reader.send({ target: listPath }),
        await reader.send({ target: path }),
        await reader.send({ target: listPath, key: 'wrong' }),
        await reader.send({ target: path, key: 'wrong' }),
        ...(await requestUnknown(reader)),
      ];
      const broken = answers.find((answer) => answer.status >= 400 && !hasDetail(answer));
      return broken && evidence(broken, '{"detail": string}');
    },
  },
  {
    id: '7 (422)',
    title: 'A malformed path is a 422, or a 404 if the server treats it as an unknown id',
    async check(reader) {
      await reader.list();
      for (const id of malformedIds) {
        const answer = await reader.send({ target: `${listPath}/${id}`, key: 'apiKey' });
        if (answer.status !== 422 && answer.status !== 404) return evidence(answer, '422 or 404');
      }
      return undefined;
    },
  },
]);

/** Returns nothing if the server calls every id malformed: the specification leaves the body of a 422 open. */
async function requestUnknown(reader: Reader): Promise<Answer[]> {
  try {
    const [path] = await reader.unknownPaths();
    return [await reader.send({ target: path, key: 'apiKey' })];
  } catch (error) {
    if (isSkipped(error)) return [];
    throw error;
  }
}

/** An invalid escape, an escaped control character, and escaped bytes that are not valid UTF-8. */
const malformedIds = ['%zz', '%00', '%ff'];
