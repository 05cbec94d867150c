import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import type { Project } from './project.ts';

/** Path of a document in the repository and in the package. */
interface Shipped {
  from: string;
  to: string;
}

/** A block of code, or the words and the target of a link. */
const fenceOrLink = /^```[\s\S]*?^```|\[((?:`[^`]*`|[^[\]`])*)\]\(([^)\s]+)\)/gm;

/**
 * Copies the documents that a README links into the unpacked package, at their paths in the repository. Links to files
 * do not work on the pages of npm, so the README names these paths. It links the repository once that has an address.
 */
export function stageDocuments(folder: string, name: string, { repository }: Project): void {
  const readme = { from: `packages/${name}/README.md`, to: 'README.md' };
  const documents = documentsOf(readme.from);
  const shipped = [readme, ...[...new Set(documents)].map((path) => ({ from: path, to: path }))];
  for (const document of shipped) {
    const text = replaceLinks(read(document.from), (words, target) => {
      const aim = shipped.find(({ from }) => from === fromRoot(document.from, target));
      if (aim === undefined) return words;
      if (document !== readme) return `[${words}](${linkTo(document, aim, target)})`;
      const linked =
        repository === undefined ? words : `[${words}](${repository}/blob/HEAD/${aim.from}${anchorOf(target)})`;
      return `${linked} (\`${aim.to}\`)`;
    });
    mkdirSync(dirname(join(folder, document.to)), { recursive: true });
    writeFileSync(join(folder, document.to), text);
  }
  if (existsSync(join(root, 'packages', name, 'CHANGELOG.md')))
    cpSync(join(root, 'packages', name, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
}

/** Returns the linked documents, and if one of them is the index of a folder, the documents that it links. */
function documentsOf(document: string): string[] {
  const linked = linksOf(read(document)).map((target) => fromRoot(document, target));
  const documents = linked.filter((path) => path.endsWith('.md') && !path.startsWith('packages/'));
  const indexed = documents.filter((path) => path.endsWith('/README.md') && path !== document);
  return [...documents, ...indexed.flatMap(documentsOf)];
}

/** Returns the targets of links from a document to files. */
export function linksOf(text: string): string[] {
  return Array.from(text.matchAll(fenceOrLink), ([, , target = '#']) => target).filter(isFile);
}

function replaceLinks(text: string, replace: (words: string, target: string) => string): string {
  return text.replace(fenceOrLink, (all, words = '', target = '#') => (isFile(target) ? replace(words, target) : all));
}

/** Returns whether the target is neither on the web nor in the same document. */
function isFile(target: string): boolean {
  return !/^[a-z]+:|^#/.test(target);
}

function fromRoot(document: string, target: string): string {
  return posix.join(posix.dirname(document), target.replace(/#.*/, ''));
}

function linkTo(document: Shipped, aim: Shipped, target: string): string {
  return posix.relative(posix.dirname(document.to), aim.to) + anchorOf(target);
}

function anchorOf(target: string): string {
  return /#.*|$/.exec(target)?.[0] ?? '';
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
