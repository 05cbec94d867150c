import { type MemoryHit, parseQuery, type Query } from '@memory-read/client/search';
import { replaceControls } from '@memory-read/contract/redaction';
import { element, listOf } from './elements.ts';
import { explainMiss, findHits } from './find-hits.ts';
import type { Memories } from './memories.ts';
import { clock, hiddenHeading, nameOf, shortText, speakerName, stateLabel } from './shown-texts.ts';
import type { View } from './view.ts';

const HITS_AT_ONCE = 50;

/** Shows what a search finds: memories with the words together, then apart; else why there is nothing. */
export async function showHits(memories: Memories, view: View, asked: string): Promise<void> {
  const query = parseQuery(asked, { people: memories.people });
  const results = element('div');
  const isShown = view.show(asked, hiddenHeading(`Memories with ${asked}`), results);
  if (query.terms.length === 0 && query.speakers.length === 0) {
    view.setStatus('Nothing found.');
    results.append(element('p', { class: 'empty' }, whyEmpty(query)));
    return;
  }
  const read = () =>
    memories.readAll({ isWanted: isShown, onMonth: (month) => view.setStatus(`Searching ${month} …`) });
  let count = 0;
  let tier = '';
  let rows = element('ol', { class: 'rows' });
  for await (const hit of findHits(read(), query)) {
    if (count > 0 && count % HITS_AT_ONCE === 0) {
      view.setStatus(`The first ${count} places`);
      await pressed(results, 'Show more');
    }
    if (!isShown()) return;
    if (hit.match !== tier) {
      tier = hit.match;
      if (tier !== 'together') results.append(element('h2', {}, 'Words in different places'));
      rows = element('ol', { class: 'rows' });
      results.append(rows);
    }
    count += 1;
    rows.append(hitRow(memories, hit));
  }
  if (!isShown()) return;
  view.setStatus(count === 0 ? 'Nothing found.' : `${count} ${count === 1 ? 'place' : 'places'}`);
  if (count > 0) return;
  const { words, speakers, nearest } = await explainMiss(read(), query);
  if (!isShown()) return;
  const counts = [
    ...words.map(({ text, memories }) => countOf(`“${text}”`, memories)),
    ...speakers.map(({ label, memories }) => countOf(`Speaker “${label}”`, memories)),
    ...query.without.map(({ text }) => `Texts with “${text}” are left out.`),
    ...query.terms
      .filter(({ text, folded }) => text.endsWith('*') && folded.endsWith(' '))
      .map(({ text }) => `“${text}” is read as a whole word: a beginning needs 3 letters.`),
  ];
  view.setStatus('Nothing found.');
  results.append(
    element('h2', {}, 'No memory has all words'),
    listOf('ul', { class: 'counts' }, counts, (text) => element('li', { dir: 'auto' }, replaceControls(text))),
  );
  if (nearest.length === 0) return;
  results.append(
    element('h2', {}, 'Nearest'),
    element('p', { class: 'facts' }, 'These are not results: they have only some of the words.'),
    listOf('ol', { class: 'rows nearest' }, nearest, (hit) => hitRow(memories, hit, hit.missing)),
  );
}

function whyEmpty({ without, withoutSpeakers }: Query): string {
  return without.length + withoutSpeakers.length > 0
    ? 'Words and speakers with a minus only leave texts out. Add a word to find.'
    : 'The search has no word: signs are not searched. Type letters or digits.';
}

function countOf(what: string, memories: number): string {
  return `${what} is in ${memories} ${memories === 1 ? 'memory' : 'memories'}.`;
}

function hitRow(
  memories: Memories,
  { memoryId, offset, segments, speaker, person, snippet }: MemoryHit,
  missing: string[] = [],
): HTMLElement {
  const entry = memories.find(memoryId)?.entry;
  if (entry === undefined) return element('li');
  const [key, , date, time] = entry;
  const place = offset === null ? '' : ` · at ${clock(offset)}`;
  const lacking =
    missing.length === 0
      ? []
      : [element('span', { class: 'state' }, `Without ${missing.map((text) => `“${text}”`).join(', ')}`)];
  const row = element(
    'a',
    { href: segments === null ? `#/${key}` : `#/${key}/${offset}/${segments.first}`, class: 'row hit' },
    element(
      'span',
      { class: 'what' },
      shortText('strong', {}, nameOf(entry)),
      ...stateLabel(entry),
      ...lacking,
      element(
        'span',
        { class: 'facts' },
        `${date} ${time.slice(0, 5)}${place}`,
        ...(speaker === null ? [] : [' · ', speakerName('span', {}, speaker, person)]),
      ),
      element('span', { class: 'words', dir: 'auto' }, ...markedText(snippet)),
    ),
  );
  return element('li', {}, row);
}

function markedText({ text, highlights }: MemoryHit['snippet']): (Node | string)[] {
  let after = 0;
  const parts = highlights.flatMap(([start, end]) => {
    const before = text.slice(after, start);
    after = end;
    return [before, element('mark', {}, text.slice(start, end))];
  });
  return [...parts, text.slice(after)];
}

function pressed(results: HTMLElement, label: string): Promise<void> {
  return new Promise((resolve) => {
    const button = element('button', { class: 'more' }, label);
    button.addEventListener('click', () => {
      button.remove();
      resolve();
    });
    results.append(button);
  });
}
