import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { root, stageFolder } from './folders.ts';
import { type PageGroup, pageGroups } from './pages.ts';
import { publishedEntries } from './published-entries.ts';
import { renderArrows } from './render-arrows.ts';

/** Documents of a site, copied and prepared for TypeDoc. */
export interface StagedDocuments {
  /** Path of the home page. */
  landing: string;
  /** Titles of the page groups, in their order. */
  groups: string[];
  /** Paths of the pages of the first level, in their order. */
  pages: string[];
}

/**
 * Copies every page of the site into the {@link stageFolder}, with a title, a group and links within the site.
 *
 * A link to a file that {@link isShown} leads to a copy at the end of the page. Links to other files of the repository
 * become plain text, because its public address is unknown.
 */
export function stageDocuments(): StagedDocuments {
  const groups = pageGroups();
  const readmes = publishedEntries().flatMap(({ readme }) => readme ?? []);
  const pages = groups.flatMap((group) => group.pages.map((path) => ({ path, group })));
  const children = groups.flatMap(({ below = {} }) => Object.values(below).flat());
  const onSite = new Set(['README.md', ...readmes, ...children, ...pages.map(({ path }) => path)]);

  rmSync(stageFolder, { recursive: true, force: true });
  write('README.md', toPage('README.md', onSite));
  for (const path of readmes) write(path, withoutTitle(toPage(path, onSite)));
  for (const path of children) write(path, frontMatter({ title: titleOf(path) }) + toPage(path, onSite));
  for (const { path, group } of pages) write(path, frontMatterOf(path, group) + toPage(path, onSite));
  return {
    landing: join(stageFolder, 'README.md'),
    groups: groups.map(({ title }) => title),
    pages: pages.map(({ path }) => join(stageFolder, path)),
  };
}

function toPage(path: string, onSite: ReadonlySet<string>): string {
  const text = readFileSync(join(root, path), 'utf8');
  const shownFiles = new Set<string>();
  const prepared = outsideOfCode(text, (prose) => prose.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, replaceLink)).replace(
    /```mermaid\n([\s\S]*?)```/g,
    (_, diagram: string) => renderArrows(diagram),
  );
  return [prepared, ...Array.from(shownFiles, toCodeSection)].join('\n');

  function replaceLink(link: string, label: string, target: string): string {
    if (/^[a-z]+:|^#/.test(target)) return link;
    const [file = '', anchor] = target.split('#');
    const aim = pageAt(normalize(join(dirname(path), file)));
    if (isShown(aim, path)) {
      shownFiles.add(aim);
      return `[${label}](#${basename(aim).replaceAll('.', '').toLowerCase()})`;
    }
    if (!onSite.has(aim)) return label;
    return `[${label}](${relative(dirname(path), aim)}${anchor === undefined ? '' : `#${anchor}`})`;
  }
}

/** Whether a file is the code of the example of this page, or one to deploy. Readers of the site have it nowhere else. */
function isShown(file: string, page: string): boolean {
  return file.startsWith('deploy/') || (dirname(file) === dirname(page) && /^examples\/.+\.ts$/.test(file));
}

function toCodeSection(path: string): string {
  const language = path.endsWith('.ts') ? 'ts' : 'text';
  return `## ${basename(path)}\n\n\`\`\`${language}\n${readFileSync(join(root, path), 'utf8')}\`\`\`\n`;
}

/** Returns the page of a link. A link to a folder means its README. */
function pageAt(path: string): string {
  const isFolder = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
  return isFolder ? join(path, 'README.md') : path;
}

function outsideOfCode(text: string, replace: (prose: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join('');
}

function frontMatterOf(path: string, { title: group, below = {} }: PageGroup): string {
  const children = below[path]?.map((child) => relative(dirname(path), child));
  return frontMatter({ title: titleOf(path), group, ...(children && { children }) });
}

/** Writes values as JSON, which YAML accepts. */
function frontMatter(fields: Record<string, unknown>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', '', ''].join('\n');
}

/** Returns the title of a document, without marks of code. */
export function titleOf(path: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  if (title === undefined)
    throw new Error(`Failed to stage a document: ${path} has no title. Begin it with "# Title".`);
  return title.replaceAll('`', '');
}

function withoutTitle(text: string): string {
  return text.replace(/^# .+\n+/, '');
}

function write(path: string, text: string): void {
  const target = join(stageFolder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
