import { posix } from 'node:path';
import { escapeHtml, html } from './html.ts';
import { contains, type LinkGroup, type PageLink, placeOf } from './navigation.ts';

/** Content of a page, and what its frame says about it. */
export interface SitePage {
  /** Below the site. */
  path: string;
  title: string;
  summary: string;
  content: string;
  /** Headings for the table of contents. */
  headings: readonly { link: string; text: string; depth: number }[];
  /** Whether the page is also there as Markdown. */
  hasMarkdown: boolean;
}

/** What all pages of a site have in common. */
export interface SiteFrame {
  version: string;
  navigation: readonly LinkGroup[];
}

const icons = {
  menu: '<path d="M3 5h14M3 10h14M3 15h14"/>',
  search: '<circle cx="9" cy="9" r="5.5"/><path d="m13.5 13.5 4 4"/>',
  theme: '<circle cx="10" cy="10" r="7"/><path d="M10 3v14a7 7 0 0 0 0-14z" fill="currentColor"/>',
};

/** Returns the HTML of a page with its frame. */
export function layout(page: SitePage, { version, navigation }: SiteFrame): string {
  const isHome = page.path === 'index.html';
  const to = (path: string) => posix.relative(posix.dirname(page.path), path);
  const link = (target: PageLink, attributes = '') =>
    html`<a href="${to(target.path)}"${attributes}${target.path === page.path && ' aria-current="page"'}>${escapeHtml(target.title)}</a>`;
  const { group, previous, next } = placeOf(page.path, navigation);

  return html`<!DOCTYPE html>
<html lang="en" data-base="${to('.') || '.'}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isHome ? 'Memory Read' : `${escapeHtml(page.title)} – Memory Read`}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="${to('assets/favicon.svg')}" type="image/svg+xml">
${page.hasMarkdown && html`<link rel="alternate" type="text/markdown" href="${to(`${page.path}.md`)}">`}
<link rel="stylesheet" href="${to('assets/highlight.css')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script>document.documentElement.dataset.theme = localStorage.getItem('theme') ?? '';</script>
<script defer src="${to('assets/site.js')}"></script>
</head>
<body class="${isHome ? 'home' : 'inner'}">
<a class="skip-link" href="#content">Skip to the content</a>
<header class="bar">
<button class="icon menu-button" aria-label="Menu" aria-expanded="false" aria-controls="navigation">${icon('menu')}</button>
${link({ title: 'Memory Read', path: 'index.html' }, ' class="brand"')}<span class="version">${version}</span>
<button class="search-button" aria-keyshortcuts="/">${icon('search')}<span>Search</span><kbd>/</kbd></button>
<nav class="doors" aria-label="Parts of the site">${doors(navigation).map((door) => link(door))}</nav>
<button class="icon theme-button" aria-label="Change the colours">${icon('theme')}</button>
</header>
<div class="columns">
<nav id="navigation" class="pages" aria-label="All pages">${navigation.map(renderGroup)}</nav>
<main id="content" tabindex="-1">
${!isHome && group && html`<p class="place">${escapeHtml(group.title)}</p>`}
<article>${page.content}</article>
${!isHome && (previous || next) ? html`<nav class="neighbours" aria-label="Neighbouring pages">${neighbour('Previous', previous)}${neighbour('Next', next)}</nav>` : ''}
</main>
${
  page.headings.length > 1 &&
  html`<details class="contents"><summary>On this page</summary><ul>${page.headings.map(
    ({ link: target, text, depth }) =>
      html`<li class="depth-${depth}"><a href="${target}">${escapeHtml(text)}</a></li>`,
  )}</ul></details>`
}
</div>
<footer><p>Memory Read ${version}, MIT licence</p><p>${page.hasMarkdown && html`<a href="${to(`${page.path}.md`)}">This page as Markdown</a>`}<a href="${to('llms.txt')}">All pages for assistants: llms.txt</a></p></footer>
</body>
</html>
`;

  function renderGroup({ title, isFolded, links }: LinkGroup): string {
    const items = html`<ul>${links.map(
      (each) =>
        html`<li>${link(each)}${each.below && contains(each, page.path) && html`<ul>${each.below.map((child) => html`<li>${link(child)}</li>`)}</ul>`}</li>`,
    )}</ul>`;
    const isOpen = !isFolded || links.some((each) => contains(each, page.path));
    return html`<details${isOpen && ' open'}><summary>${escapeHtml(title)}</summary>${items}</details>`;
  }

  function neighbour(label: string, target: PageLink | undefined): string {
    if (!target) return '<span></span>';
    return html`<a href="${to(target.path)}" rel="${label === 'Next' ? 'next' : 'prev'}"><small>${label}</small>${escapeHtml(target.title)}</a>`;
  }
}

/** The first page of the guides, and the overview of the API. */
function doors([first]: readonly LinkGroup[]): PageLink[] {
  return [
    { title: 'Guides', path: first?.links[0]?.path ?? 'index.html' },
    { title: 'API', path: 'api.html' },
  ];
}

function icon(name: keyof typeof icons): string {
  return html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" aria-hidden="true">${icons[name]}</svg>`;
}
