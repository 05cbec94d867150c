/// <reference lib="dom" />
/** Runs in every page of the site. Without it, the pages are complete, but for the search. */
import { listenForSearch } from './search-dialog.page.ts';

const root = document.documentElement;
const darkQuery = '(prefers-color-scheme: dark)';

function listen(selector: string, action: (button: HTMLElement) => void): void {
  for (const button of document.querySelectorAll<HTMLElement>(selector))
    button.addEventListener('click', () => action(button));
}

// A reader without a mouse scrolls with the arrow keys. The width is known when the fonts are loaded.
document.fonts.ready.then(() => {
  for (const area of document.querySelectorAll<HTMLElement>('pre > code, table, .tsd-signature'))
    if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
});

listen('pre > button', async (button) => {
  await navigator.clipboard.writeText(button.previousElementSibling?.textContent.trimEnd() ?? '');
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
});

listen('.menu-button', (button) => {
  const isOpen = button.getAttribute('aria-expanded') !== 'true';
  button.setAttribute('aria-expanded', String(isOpen));
  document.body.classList.toggle('has-menu', isOpen);
});

const theme = () => root.dataset.theme || (matchMedia(darkQuery).matches ? 'dark' : 'light');

/** Pictures have a file for each scheme, and the browser selects it by its own setting. */
function selectPictures(): void {
  for (const source of document.querySelectorAll('source')) {
    source.dataset.media ??= source.media;
    source.media = source.dataset.media.replace(darkQuery, theme() === 'dark' ? '(min-width: 0)' : '(max-width: 0)');
  }
}

listen('.theme-button', () => {
  root.dataset.theme = theme() === 'dark' ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
  selectPictures();
});
if (root.dataset.theme) selectPictures();

const navigation = document.getElementById('navigation');
const current = navigation?.querySelector<HTMLElement>('[aria-current]');
if (navigation && current) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
listenForSearch(new URL(root.dataset.base ?? './', location.href));
