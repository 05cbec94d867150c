import { type SearchSource, searchMemories } from '@memory-read/client/search';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 9, minute)).toISOString();
const said = (minute: number, speaker: string, text: string) => ({
  speaker,
  text,
  start_at: at(minute),
  end_at: at(minute + 1),
});
const memories: SearchSource[] = [
  {
    id: 'mem_2',
    name: 'Call with the insurer',
    started_at: at(10),
    summary: null,
    transcript: {
      segments: [said(10, 'Ada', 'I think we should cancel the'), said(11, 'Ada', 'trip, because the premium rises.')],
    },
  },
  {
    id: 'mem_1',
    name: 'Budget',
    started_at: at(0),
    summary: null,
    transcript: { segments: [said(0, 'Speaker 2', 'The premium is not in the budget.')] },
  },
];
const [memory = memories[0] as SearchSource] = memories;

// #region search-memories
const { hits } = searchMemories(memories, '"cancel the trip" premium');
for (const { name, offset, snippet } of hits) console.log(`${name}, ${offset} ms: ${snippet.text}`);
// #endregion

// #region miss
const { miss } = searchMemories(memories, 'insurance premium');
for (const { text, memories } of miss?.words ?? []) console.log(`${text} is in ${memories} memories.`);
for (const { name, missing } of miss?.nearest ?? []) console.log(`${name} does not have ${missing.join(', ')}.`);

// #endregion

import {
  coverOf,
  fold,
  hitOf,
  isAnyPart,
  isEmptyQuery,
  isSpeaker,
  matchMemory,
  missCounter,
  parseQuery,
  prepareMemory,
  searchTexts,
  speakerKey,
} from '@memory-read/client/search';

// #region parse-query
const query = parseQuery('"cancel the trip" lisbon -draft', { speaker: 'Speaker 2' });
console.log(query.terms.map(({ text }) => text)); // ['cancel the trip', 'lisbon']
// #endregion

// #region empty-query
if (isEmptyQuery(parseQuery('-draft'))) console.log('The query only excludes words.');
// #endregion

// #region prepare
const prepared = memories.map(prepareMemory);
console.log(searchMemories(prepared, 'budget').hits.length, searchMemories(prepared, 'premium').hits.length);
// #endregion

// #region match
const { match, missing } = matchMemory(prepareMemory(memory), parseQuery('premium zebra'));
console.log(match, missing); // some ['zebra']
// #endregion

// #region miss-counter
const counter = missCounter(parseQuery('premium zebra'));
for (const one of memories) counter.add(prepareMemory(one)); // newest first
console.log(counter.result(0).words);
// #endregion

// #region fold
console.log(fold('Łódź, café & 東京タワー!')); // ' lodz cafe 東京タワー '
// #endregion

// #region any-part
console.log(isAnyPart('会'), isAnyPart('é')); // true false
// #endregion

// #region texts
for (const text of searchTexts(memory)) console.log(text.kind, fold(text.text));
// #endregion

// #region hit
const [name, passage = name] = searchTexts(memory);
console.log(passage && hitOf(passage, parseQuery('premium').terms)?.snippet);
// #endregion

// #region cover
console.log(coverOf([[0], [0, 1], [2]])); // [1, 2]
// #endregion

// #region speaker-key
console.log(speakerKey('SPEAKER 2') === speakerKey('Speaker 2')); // true
// #endregion

// #region is-speaker
const text = { speakerKey: speakerKey('Speaker 1'), personKey: speakerKey('Ada Lovelace') };
const [speaker] = parseQuery('speaker:lovelace').speakers;
console.log(speaker && isSpeaker(text, speaker)); // true
// #endregion
