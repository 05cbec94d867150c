import type { SearchPage } from '@memory-read/mirror';

/** Returns why a query finds nothing, and what to do. */
export function explainMiss(query: string, miss: SearchPage['miss'], isPartial: boolean): string {
  if (miss === null) return 'The query has no word to find. Pass a word, or speaker: with a label.';
  const { words, speakers } = miss;
  const counts = [
    ...words.map(({ text, memories }) => [JSON.stringify(text), memories] as const),
    ...speakers.map(({ label, memories }) => [`speaker:${JSON.stringify(label)}`, memories] as const),
  ].map(([text, memories], index) => (index === 0 ? `${text} is in ${plural(memories)}` : `${text} in ${memories}`));
  const advice = [
    !isPartial && miss.nearest.length > 0 && 'Pass --partial to see the nearest.',
    (speakers.some(({ memories }) => memories === 0) || /speaker:(?!\S)/i.test(query)) &&
      'A label must be complete and follow speaker: directly, as in speaker:"Speaker 2".',
    words.some(({ text, memories }) => memories === 0 && / /.test(text)) &&
      'Leave out the quotes to find words that do not follow each other.',
    words.some(({ text }) => /(?:^|\s)\S{1,2}\*$/.test(text)) &&
      'The beginning of a word, such as xyz*, needs 3 characters.',
    /(?:^| )-(?=[\p{L}"])/u.test(query) && 'Leave out the words with -, which exclude texts.',
    miss.outsideRange > 0 && `The range of times leaves out ${plural(miss.outsideRange)}.`,
  ];
  return [`No memory has all these words: ${counts.join(', ')}.`, ...advice.filter(Boolean)].join(' ');
}

function plural(memories: number): string {
  return `${memories} ${memories === 1 ? 'memory' : 'memories'}`;
}
