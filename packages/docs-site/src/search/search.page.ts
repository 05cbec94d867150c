/// <reference lib="dom" />
/** Runs in every page of the site: it fills the results of typedoc's search dialog. typedoc handles the keys. */

import { createSearch, type Found, type Search } from './search-sections.ts';
import type { Section } from './sections-of.ts';

declare global {
  interface Window {
    /** Set by the script that {@link loadSections} adds. */
    searchSections?: Section[];
  }
}

const most = 10;
const element = (id: string) => document.getElementById(id) as HTMLElement;
const base = new URL(document.documentElement.dataset.base ?? './', location.href);
const input = () => element('tsd-search-input') as HTMLInputElement;
let search: Promise<Search> | undefined;

// typedoc adds this script without waiting for the page.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', listen);
else listen();

function listen(): void {
  element('tsd-search-trigger').addEventListener('click', () => void getSearch());
  input().addEventListener('input', () => void show(input().value));
}

function getSearch(): Promise<Search> {
  search ??= loadSections().then(createSearch);
  return search;
}

/** A script, and not a request: it works in pages that are opened as files. */
function loadSections(): Promise<Section[]> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('assets/search-sections.js', base).href;
    script.onload = () => resolve(window.searchSections ?? []);
    script.onerror = () => reject(new Error('Failed to search: the index could not be loaded. Reload the page.'));
    document.head.append(script);
  });
}

async function show(question: string): Promise<void> {
  const found = question.trim() === '' ? [] : (await getSearch())(question).slice(0, most);
  if (question !== input().value) return;
  const results = element('tsd-search-results');
  results.replaceChildren(...found.map(toOption));
  results.dataset.question = question;
  element('tsd-search-status').textContent =
    found.length === 0 && question.trim() !== '' ? `No results for “${question}”.` : '';
}

function toOption({ title, page, url }: Found, position: number): HTMLElement {
  const hasParent = page !== title && !title.startsWith(`${page}.`);
  const parent = hasParent ? [create('span', { className: 'parent' }, `${page}: `)] : [];
  const text = create('span', { className: 'text' }, ...parent, title);
  const link = create('a', { href: new URL(url, base).href, tabIndex: -1 }, text);
  return create('li', { id: `search-result-${position}`, role: 'option', ariaSelected: 'false' }, link);
}

function create(name: string, properties: object, ...children: (HTMLElement | string)[]): HTMLElement {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}
