// The program of `index.html`. `npm run generate` bundles it into `page-program.ts`.

import type { IndexList } from '../index-data.ts';
import { byId } from './elements.ts';
import { showList } from './list-view.ts';
import { monthLoader } from './load-month.ts';
import { openMemories } from './memories.ts';
import { showMemory } from './memory-view.ts';
import { showHits } from './search-view.ts';
import { openView } from './view.ts';

const TYPING_MS = 200;

const list: IndexList = JSON.parse(byId('memories').textContent ?? '');
const memories = openMemories(list, monthLoader(list.folder));
const view = openView();
const search = byId('search') as HTMLInputElement;

/** Shows the view that the part of the address after # names. */
async function route(): Promise<void> {
  const [, ...parts] = location.hash.split('/');
  const [first = '', second = ''] = parts;
  const query = first === 'search' ? decodeQuery(second) : '';
  if (document.activeElement !== search) search.value = query;
  scrollTo(0, 0);
  if (query !== '') await showHits(memories, view, query);
  else if (first === '' || first === 'search') showList(memories, view);
  else await showMemory(memories, view, parts);
}

function decodeQuery(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return '';
  }
}

function start(): void {
  route().catch((problem: unknown) => view.setStatus(Object(problem).message ?? String(problem)));
}

let typing: ReturnType<typeof setTimeout> | undefined;
search.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const query = search.value.trim();
    location.hash = query === '' ? '#/' : `#/search/${encodeURIComponent(query)}`;
  }, TYPING_MS);
});
addEventListener('hashchange', start);
start();
