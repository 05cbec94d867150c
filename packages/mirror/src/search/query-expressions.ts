import {
  type HitKind,
  hitKinds,
  isSpeaker,
  type Query,
  type QuerySpeaker,
  type Term,
} from '@memory-read/client/search';
import type { NumberedPerson } from '../people/person-rows.ts';
import { kindMark, personMark, speakerMark } from './marks.ts';
import { phraseOf, tokensOfTerm } from './tokens.ts';

/** Expressions of the index. They contain text of the user only as tokens in quotes. */
export interface QueryExpressions {
  /** Finds the selected texts with all terms. */
  all: string;
  /** Finds the selected texts with a term. */
  selected: (term: Term) => string;
  /** Whether each text is selected. */
  selectsAll: boolean;
  /** Finds the texts with a term. */
  anywhere: (term: Term) => string;
  /** Finds the texts of a speaker, by label or name. */
  ofSpeaker: (speaker: QuerySpeaker) => string;
  /** Finds the memories that can have all terms. */
  memories: string;
  /** Finds the memories with a term; undefined for a term of several tokens, whose order the memories do not have. */
  ofMemory: (term: Term) => string | undefined;
}

/** Returns the expressions of a query with at least one kind, in a mirror with these people. */
export function expressionsOf(
  { terms, without, speakers, withoutSpeakers, kinds }: Query,
  people: readonly NumberedPerson[],
): QueryExpressions {
  const anywhere = (term: Term) => `tokens : ${phraseOf(term)}`;
  const ofSpeaker = (speaker: QuerySpeaker) => {
    const found = people.filter(({ folded }) => isSpeaker({ speakerKey: null, personKey: folded }, speaker));
    const marks = [speakerMark(speaker.key), ...found.map(({ number }) => personMark(number))];
    return `marks : (${marks.map((mark) => `"${mark}"`).join(' OR ')})`;
  };
  const wanted = [
    ...speakers.map(ofSpeaker),
    ...(kinds.length < hitKinds.length ? [`(${kinds.map(ofKind).join(' OR ')})`] : []),
  ];
  const excluded = [...without.map(anywhere), ...withoutSpeakers.map(ofSpeaker)];
  const select = (words: readonly string[]) =>
    `(${[...words, ...wanted].join(' AND ')})${excluded.length === 0 ? '' : ` NOT (${excluded.join(' OR ')})`}`;
  return {
    all: select(terms.map(anywhere)),
    selected: (term) => select([anywhere(term)]),
    selectsAll: wanted.length === 0 && excluded.length === 0,
    anywhere,
    ofSpeaker,
    memories: terms.flatMap(tokensOfTerm).join(' AND '),
    ofMemory: (term) => {
      const [token, ...others] = tokensOfTerm(term);
      return others.length === 0 ? token : undefined;
    },
  };
}

function ofKind(kind: HitKind): string {
  return `marks : "${kindMark(kind)}"`;
}
