import { pathOf } from '../reading/create-reader.ts';
import { isObject } from '../reading/memory-value.ts';
import { SkippedError } from '../session/unanswered.ts';
import { evidence, type Rule, rulesOf } from './rule.ts';

/** Section 3: states and transitions. */
export const stateRules: readonly Rule[] = rulesOf('3', [
  {
    id: '3 Processing',
    title: 'The detail endpoint returns a memory that is being processed',
    async check(reader) {
      const [memory] = (await reader.sample()).processing;
      if (memory === undefined) throw new SkippedError('no memory in the list is being processed');
      const answer = await reader.send({ target: pathOf(memory.id), key: 'apiKey' });
      const isRead = answer.status === 200 && isObject(answer.json) && answer.json.id === memory.id;
      return isRead ? undefined : evidence(answer, '200 with this memory');
    },
  },
  {
    id: '3 Processed',
    title: 'Processed memories have a summary in the list',
    async check(reader) {
      const { answer, memories } = await reader.list();
      const processed = memories.filter((memory) => memory.is_processing === false && Object.hasOwn(memory, 'summary'));
      if (processed.length === 0) throw new SkippedError('no memory in the list is processed');
      // A memory without speech may have none.
      if (processed.some(({ summary }) => summary !== null)) return undefined;
      return evidence(answer, 'a summary', `none of ${processed.length} processed memories has a summary`);
    },
  },
]);
