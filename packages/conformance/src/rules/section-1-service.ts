import { listPath, pathOf } from '../reading/create-reader.ts';
import { idsOf, isAddressable } from '../reading/memory-value.ts';
import { SkippedError } from '../session/unanswered.ts';
import { evidence, type Rule, rulesOf } from './rule.ts';

/** Section 1: what the service does. */
export const serviceRules: readonly Rule[] = rulesOf('1', [
  {
    id: '1.3',
    title: 'A user_id in the query does not open another account',
    needs: ['otherAccountApiKey'],
    async check(reader) {
      const [own, other] = [await reader.list(), await reader.list('otherAccountApiKey')];
      const known = idsOf(own.memories);
      const theirs = new Set([...idsOf(other.memories)].filter((id) => !known.has(id)));
      const foreign = other.memories.filter(isAddressable).find(({ id }) => theirs.has(id));
      if (foreign === undefined) throw new SkippedError('otherAccountApiKey lists no memory that apiKey does not list');
      const owner = typeof foreign.user_id === 'string' ? foreign.user_id.replace(/\p{Surrogate}/gu, '') : '';
      const query = `?user_id=${encodeURIComponent(owner)}`;
      const listed = await reader.send({ target: `${listPath}${query}`, key: 'apiKey', onlyIds: true });
      const leaked = Array.isArray(listed.json) && listed.json.some((memory) => theirs.has(memory?.id));
      if (leaked) return evidence(listed, 'only memories of the account of the key', 'memories of another account');
      const plain = await reader.send({ target: pathOf(foreign.id), key: 'apiKey' });
      const named = await reader.send({ target: `${pathOf(foreign.id)}${query}`, key: 'apiKey' });
      return named.status === 200 && plain.status !== 200
        ? evidence(named, 'the same response as without the query')
        : undefined;
    },
  },
]);
