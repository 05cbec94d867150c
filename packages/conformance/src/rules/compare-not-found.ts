import type { Evidence } from '../conformance-report.ts';
import { pathOf, type Reader } from '../reading/create-reader.ts';
import { idsOf, isAddressable } from '../reading/memory-value.ts';
import { SkippedError } from '../session/unanswered.ts';
import { type Traits, traitsOf } from './answer-traits.ts';
import { judgeError } from './judge-error.ts';
import { evidence } from './rule.ts';

/**
 * Checks that a memory of another account is answered like a memory that does not exist. Headers and fields may vary
 * from answer to answer. Only a value that all answers of one kind share, and no answer of the other kind has, counts.
 */
export async function compareNotFound(reader: Reader): Promise<Evidence | undefined> {
  const foreign = await foreignPaths(reader);
  const unknown = await reader.unknownPaths();
  const first = await reader.send({ target: foreign[0], key: 'apiKey' });
  const broken = judgeError(first, 404, 'Memory not found');
  if (broken) return broken;
  const firstUnknown = await reader.send({ target: unknown[0], key: 'apiKey' });
  const groups: Groups = { foreign: [traitsOf(first)], unknown: [traitsOf(firstUnknown)] };
  for (const [turn, kind] of turns.entries()) {
    if (findDifference(groups) === undefined) return undefined;
    const paths = kind === 'foreign' ? foreign : unknown;
    const target = paths[(turn >> 1) % paths.length] ?? paths[0];
    const answer = await reader.send({ target, key: 'apiKey', again: turn });
    // A 422 rejects the form of the id, and says nothing about memories.
    if (answer.status !== 422) groups[kind].push(traitsOf(answer));
  }
  const difference = findDifference(groups);
  return (
    difference &&
    evidence(first, `the same response as for an unknown memory: ${difference.unknown}`, difference.foreign)
  );
}

type Kind = 'foreign' | 'unknown';
type Groups = Record<Kind, Traits[]>;

/** In no regular order, so that a value of every second or third answer is not mistaken for a difference. */
const turns = [...'nffnfnnffnnf'].map((letter): Kind => (letter === 'f' ? 'foreign' : 'unknown'));

async function foreignPaths(reader: Reader): Promise<[string, ...string[]]> {
  const own = idsOf((await reader.list()).memories);
  const others = (await reader.list('otherAccountApiKey')).memories.filter(isAddressable);
  const [first, ...rest] = others.filter(({ id }) => !own.has(id)).map(({ id }) => pathOf(id));
  if (first === undefined) throw new SkippedError('otherAccountApiKey lists no memory that apiKey does not list');
  return [first, ...rest.slice(0, 2)];
}

/** Returns a value that differs between the two kinds, also after the ids are removed from it. */
function findDifference({ foreign, unknown }: Groups): Record<Kind, string> | undefined {
  const names = new Set([...foreign, ...unknown].flatMap((each) => [...each.keys()]));
  for (const name of names) {
    const isDifferent = (['withoutId', 'value'] as const).every((form) => {
      const [theirs, others] = [foreign, unknown].map((answers) => commonValue(answers, name, form));
      return theirs !== undefined && others !== undefined && theirs !== others;
    });
    if (isDifferent) {
      return {
        foreign: `${name} is ${commonValue(foreign, name, 'value')}`,
        unknown: `${name} is ${commonValue(unknown, name, 'value')}`,
      };
    }
  }
  return undefined;
}

/** Returns the value that a trait has in all answers; undefined if they differ. */
function commonValue(answers: readonly Traits[], name: string, form: 'value' | 'withoutId'): string | undefined {
  const values = new Set(answers.map((each) => each.get(name)?.[form] ?? 'not there'));
  return values.size === 1 ? [...values][0] : undefined;
}
