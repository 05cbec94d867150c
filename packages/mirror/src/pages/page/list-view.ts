import { replaceControls } from '@memory-read/contract/redaction';
import type { IndexEntry } from '../index-data.ts';
import { element } from './elements.ts';
import type { Memories } from './memories.ts';
import { clock, hiddenHeading, nameOf, shortText, spellDay, stateLabel } from './shown-texts.ts';
import { pageTitle, type View } from './view.ts';

const ROWS_AT_ONCE = 100;

/** Shows all memories by day. Rows are added when they are about to be seen. */
export function showList({ entries }: Memories, view: View): void {
  const rows = element('ol', { class: 'rows' });
  const end = element('div');
  const list = entries.length === 0 ? element('p', { class: 'empty' }, 'No memories yet.') : rows;
  const isShown = view.show(undefined, hiddenHeading(pageTitle), list, end);
  let from = 0;
  let day = '';
  const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && addRows(), {
    rootMargin: '1500px',
  });
  const addRows = () => {
    for (const entry of entries.slice(from, from + ROWS_AT_ONCE)) {
      if (entry[2] !== day) {
        day = entry[2];
        rows.append(element('li', { class: 'day' }, element('h2', {}, spellDay(day))));
      }
      rows.append(listRow(entry));
    }
    from += ROWS_AT_ONCE;
    if (from >= entries.length || !isShown()) observer.disconnect();
  };
  addRows();
  if (from < entries.length) observer.observe(end);
}

function listRow(entry: IndexEntry): HTMLElement {
  const [key, , , time, seconds, , summary] = entry;
  const what = [
    shortText('strong', {}, nameOf(entry)),
    ...stateLabel(entry),
    shortText('span', { class: 'summary' }, replaceControls(summary)),
  ];
  const row = element(
    'a',
    { href: `#/${key}`, class: 'row' },
    element('span', { class: 'time' }, time.slice(0, 5)),
    element('span', { class: 'what' }, ...what),
    element('span', { class: 'length' }, clock(seconds * 1000)),
  );
  return element('li', {}, row);
}
