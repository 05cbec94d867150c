import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of a built site, with its links. */
export interface SitePage {
  /** Below the folder of the site, such as `documents/Media.html`. */
  path: string;
  anchors: ReadonlySet<string>;
  /** Targets of its links, scripts, styles and images, unchanged. */
  targets: readonly string[];
}

/** Reads every page of the site in `folder`. */
export function readSite(folder: string): SitePage[] {
  return globSync('**/*.html', { cwd: folder }).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return { path, anchors: new Set(attributes(text, 'id')), targets: attributes(text, 'href', 'src', 'xlink:href') };
  });
}

/** The links, by default those of all pages, that lead to no file of the site or to no anchor in it. */
export function deadLinks(folder: string, pages: readonly SitePage[], links = linksOf(pages)): string[] {
  const files = new Set(globSync('**/*', { cwd: folder }));
  const anchorsOf = new Map(pages.map(({ path, anchors }) => [path, anchors]));
  const isDead = ([from, target]: Link): boolean => {
    const { host, pathname, hash } = new URL(target, `http://site/${from}`);
    if (host !== 'site') return false;
    const path = decodeURIComponent(pathname).slice(1) || 'index.html';
    const anchor = decodeURIComponent(hash.slice(1));
    if (!files.has(path)) return true;
    return anchor !== '' && path.endsWith('.html') && !anchorsOf.get(path)?.has(anchor);
  };
  return links.filter(isDead).map(([from, target]) => `${from}: ${target}`);
}

type Link = readonly [from: string, target: string];

function linksOf(pages: readonly SitePage[]): Link[] {
  return pages.flatMap(({ path, targets }) => targets.map((target): Link => [path, target]));
}

function attributes(text: string, ...names: string[]): string[] {
  const markup = text.replace(/<script>[\s\S]*?<\/script>/g, '');
  const pattern = new RegExp(`[\\s](?:${names.join('|')})="([^"]*)"`, 'g');
  return Array.from(markup.matchAll(pattern), ([, value = '']) => value.replaceAll('&amp;', '&'));
}
