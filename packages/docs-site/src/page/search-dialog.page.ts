/// <reference lib="dom" />
import { excerptOf } from '../search/excerpt-of.ts';
import { createSearch, type Found, type Search } from '../search/search-sections.ts';
import type { Section } from '../search/sections-of.ts';

declare global {
  interface Window {
    /** Set by the script that {@link loadSections} adds. */
    searchSections?: Section[];
  }
}

const most = 10;

/** Opens the search with its button, with `/` and with Ctrl+K. */
export function listenForSearch(site: URL): void {
  const input = create('input', { type: 'text', placeholder: 'A name or a question', autocomplete: 'off' });
  const list = create('ul', { id: 'search-results', role: 'listbox', ariaLabel: 'Results' });
  const status = create('p', { className: 'search-status', role: 'status' });
  const dialog = create('dialog', { className: 'search', ariaLabel: 'Search' }, input, list, status);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-label', 'Search');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'true');
  document.body.append(dialog);
  let search: Promise<Search> | undefined;

  const open = () => {
    search ??= loadSections(site).then(createSearch);
    dialog.showModal();
    input.select();
  };
  document.querySelector('.search-button')?.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      open();
    }
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || (event.target as Element).closest('a')) dialog.close();
  });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const position = Array.from(list.children).findIndex((option) => option.ariaSelected === 'true');
    const step = steps[event.key];
    if (step !== undefined) select((position + step + list.children.length) % list.children.length);
    else if (event.key === 'Enter') list.children[position]?.querySelector('a')?.click();
    else return;
    event.preventDefault();
  });

  async function show(): Promise<void> {
    const question = input.value;
    const found = question.trim() === '' ? [] : ((await search)?.(question) ?? []).slice(0, most);
    if (question !== input.value) return;
    list.replaceChildren(...found.map((section, position) => toOption(section, position, site)));
    list.dataset.question = question;
    status.textContent = found.length === 0 && question.trim() !== '' ? `No results for “${question}”.` : '';
    select(0);
  }

  function select(position: number): void {
    for (const [index, option] of Array.from(list.children).entries()) option.ariaSelected = String(index === position);
    const selected = list.children[position];
    input.setAttribute('aria-activedescendant', selected?.id ?? '');
    selected?.scrollIntoView({ block: 'nearest' });
  }
}

function toOption({ title, page, url, text, terms }: Found, position: number, site: URL): HTMLElement {
  const hasPage = page !== title && !title.startsWith(`${page}.`);
  const heading = create('strong', {}, ...(hasPage ? [create('span', {}, `${page} › `)] : []), title);
  const excerpt = excerptOf(text, terms).map((piece) => (piece.isFound ? create('mark', {}, piece.text) : piece.text));
  const link = create('a', { href: new URL(url, site).href, tabIndex: -1 }, heading, create('span', {}, ...excerpt));
  return create('li', { id: `search-result-${position}`, role: 'option', ariaSelected: 'false' }, link);
}

/** A script, and not a request: it works in pages that are opened as files. */
function loadSections(site: URL): Promise<Section[]> {
  return new Promise((resolve, reject) => {
    const script = create('script', { src: new URL('assets/search-sections.js', site).href });
    script.onload = () => resolve(window.searchSections ?? []);
    script.onerror = () => reject(new Error('Failed to search: the index could not be loaded. Reload the page.'));
    document.head.append(script);
  });
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: object,
  ...children: (HTMLElement | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}
