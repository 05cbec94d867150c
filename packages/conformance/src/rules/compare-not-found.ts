import type { Evidence } from '../conformance-report.ts';
import { pathOf, type Reader } from '../reading/create-reader.ts';
import { idsOf, isAddressable } from '../reading/memory-value.ts';
import { SkippedError } from '../session/unanswered.ts';
import { type Traits, traitsOf } from './answer-traits.ts';
import { judgeError } from './judge-error.ts';
import { evidence } from './rule.ts';

/**
 * Whether anything tells a memory of another account from one that nobody has. Headers and fields may differ from one
 * answer to the next: only what is the same in all answers of one kind, and another in all of the other kind, is a tell.
 */
export async function compareNotFound(reader: Reader): Promise<Evidence | undefined> {
  const foreign = await foreignPaths(reader);
  const nobodys = await reader.unknownPaths();
  const first = await reader.ask({ target: foreign[0], key: 'apiKey' });
  const broken = judgeError(first, 404, 'Memory not found');
  if (broken) return broken;
  const unknown = await reader.ask({ target: nobodys[0], key: 'apiKey' });
  const groups: Groups = { foreign: [traitsOf(first)], nobodys: [traitsOf(unknown)] };
  for (const [turn, kind] of turns.entries()) {
    if (tellOf(groups) === undefined) return undefined;
    const paths = kind === 'foreign' ? foreign : nobodys;
    const target = paths[(turn >> 1) % paths.length] ?? paths[0];
    const answer = await reader.ask({ target, key: 'apiKey', again: turn });
    // An id that the server does not take for one says nothing of memories.
    if (answer.status !== 422) groups[kind].push(traitsOf(answer));
  }
  const tell = tellOf(groups);
  return tell && evidence(first, `what a memory that does not exist is answered with: ${tell.nobodys}`, tell.foreign);
}

type Kind = 'foreign' | 'nobodys';
type Groups = Record<Kind, Traits[]>;

/** In no regular order: what comes with every second or third answer must not look like a tell. */
const turns = [...'nffnfnnffnnf'].map((letter): Kind => (letter === 'f' ? 'foreign' : 'nobodys'));

async function foreignPaths(reader: Reader): Promise<[string, ...string[]]> {
  const own = idsOf((await reader.list()).memories);
  const others = (await reader.list('otherAccountApiKey')).memories.filter(isAddressable);
  const [first, ...rest] = others.filter(({ id }) => !own.has(id)).map(({ id }) => pathOf(id));
  if (first === undefined) throw new SkippedError('otherAccountApiKey lists no memory that apiKey does not list');
  return [first, ...rest.slice(0, 2)];
}

/** What all answers of each kind have in common, where that differs, also if the ids are left out of it. */
function tellOf({ foreign, nobodys }: Groups): Record<Kind, string> | undefined {
  const names = new Set([...foreign, ...nobodys].flatMap((each) => [...each.keys()]));
  for (const name of names) {
    const isTell = (['withoutId', 'value'] as const).every((form) => {
      const [theirs, others] = [foreign, nobodys].map((answers) => commonValue(answers, name, form));
      return theirs !== undefined && others !== undefined && theirs !== others;
    });
    if (isTell) {
      return {
        foreign: `${name} is ${commonValue(foreign, name, 'value')}`,
        nobodys: `${name} is ${commonValue(nobodys, name, 'value')}`,
      };
    }
  }
  return undefined;
}

/** The value that a trait has in all answers; undefined where they differ. */
function commonValue(answers: readonly Traits[], name: string, form: 'value' | 'withoutId'): string | undefined {
  const values = new Set(answers.map((each) => each.get(name)?.[form] ?? 'not there'));
  return values.size === 1 ? [...values][0] : undefined;
}
