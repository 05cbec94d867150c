import { relative } from 'node:path';
import { stageFolder } from '../folders.ts';

/** Source of the home page, from the root of the repository. */
export const homePage = 'packages/docs-site/src/home.md';

/**
 * Returns the path of a document's Markdown below the site. Without its `.md`, it is the path of the page.
 *
 * @param path From the root of the repository.
 * @param module Name of the module whose page begins with this document.
 */
export function markdownPath(path: string, module?: string): string {
  if (path === homePage) return 'index.html.md';
  const name = path
    .replace(/^docs\//, '')
    .replace(/(?:\/README)?\.md$/, '')
    .toLowerCase();
  return `${module === undefined ? name : modulePath(module)}.html.md`;
}

/** Returns the path of the page of a module, such as `api/client-node` for `@memory-read/client/node`. */
export function modulePath(name: string): string {
  return `api/${name.replace('@memory-read/', '').replaceAll('/', '-')}`;
}

/** Returns the path of the page whose Markdown is staged in this file. */
export function pageOf(stagedFile: string): string {
  return relative(stageFolder, stagedFile).replaceAll('\\', '/').replace(/\.md$/, '');
}
