import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type PageGroup, pageGroups } from '../pages.ts';
import { titleOf } from '../stage-documents.ts';
import { sectionsOf } from './sections-of.ts';

/** Replaces the search of typedoc in a built site: it matches parts of words only, and knows no questions. */
export async function writeSearch(site: string): Promise<void> {
  const groups = new Map(pageGroups().flatMap((group) => group.pages.map((page) => [titleOf(page), group])));
  const pages = globSync('{index,{documents,modules,classes,functions,interfaces,types,variables}/*}.html', {
    cwd: site,
  });
  const sections = pages
    .sort()
    .flatMap((path) =>
      sectionsOf(path, readFileSync(join(site, path), 'utf8'), (title) => boostOf(path, groups.get(title))),
    );
  writeFileSync(join(site, 'assets/search-sections.js'), `window.searchSections=${JSON.stringify(sections)}`);
  await build({
    entryPoints: [fileURLToPath(new URL('search.page.ts', import.meta.url))],
    outfile: join(site, 'assets/search.js'),
    bundle: true,
    minify: true,
    format: 'iife',
  });
}

/** A guide answers most questions; a decision or a page about this repository answers few, with the same words. */
function boostOf(path: string, group: PageGroup | undefined): number {
  if (group) return group.boost ?? 1;
  return path.startsWith('documents/') ? 0.4 : 0.15;
}
