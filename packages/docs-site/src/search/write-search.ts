import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StagedDocuments } from '../documents/stage-documents.ts';
import { sectionsOf } from './sections-of.ts';

/** Factor of the reference, which repeats the words of the guides. */
const referenceBoost = 0.15;

/** Writes the index of the search into a built site. */
export function writeSearch({ groups }: StagedDocuments, site: string): void {
  const boosts = new Map(
    groups.flatMap(({ boost = 1, documents }) => documents.map(({ path }) => [path.replace(/\.md$/, ''), boost])),
  );
  const sections = globSync('**/*.html', { cwd: site })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .flatMap((path) => {
      const boost = boosts.get(path) ?? (path === 'index.html' ? 1 : referenceBoost);
      return sectionsOf(path, readFileSync(join(site, path), 'utf8'), boost);
    });
  // A script, and not data: it works in pages that are opened as files.
  writeFileSync(join(site, 'assets/search-sections.js'), `window.searchSections=${JSON.stringify(sections)}`);
}
