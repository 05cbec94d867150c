import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { root, stageFolder } from '../folders.ts';
import { publishedEntries } from '../published-entries.ts';
import { pageGroups } from './pages.ts';
import { renderArrows } from './render-arrows.ts';
import { homePage, markdownPath } from './site-path.ts';

/** A document, prepared for the site. */
export interface StagedDocument {
  title: string;
  /** The first paragraph, as plain text. */
  summary: string;
  /** Path of its Markdown below the site and below the {@link stageFolder}. */
  path: string;
  markdown: string;
}

/** Documents of one group of the navigation. */
export interface StagedGroup {
  title: string;
  isFolded?: boolean | undefined;
  boost?: number | undefined;
  documents: StagedDocument[];
}

/** Every document of a site. */
export interface StagedDocuments {
  home: StagedDocument;
  groups: StagedGroup[];
  /** READMEs, by the names of the modules whose pages they begin. */
  readmes: ReadonlyMap<string, StagedDocument>;
}

/**
 * Copies every document of the site into the {@link stageFolder}, in the folders of the site and with links within it.
 *
 * A link to a file that {@link isShown} leads to a copy at the end of the page. Links to other files of the repository
 * become plain text, because its public address is unknown.
 */
export function stageDocuments(): StagedDocuments {
  const groups = pageGroups();
  const modules = publishedEntries().flatMap(({ name, readme }) => (readme === undefined ? [] : [{ name, readme }]));
  const paths = new Map([homePage, ...groups.flatMap(({ pages }) => pages)].map((path) => [path, markdownPath(path)]));
  for (const { name, readme } of modules) paths.set(readme, markdownPath(readme, name));
  paths.set('README.md', markdownPath(homePage));

  rmSync(stageFolder, { recursive: true, force: true });
  const stageAll = (pages: readonly string[]) => pages.map((path) => stage(path, paths));
  return {
    home: stage(homePage, paths),
    groups: groups.map(({ pages, ...group }) => ({ ...group, documents: stageAll(pages) })),
    readmes: new Map(modules.map(({ name, readme }) => [name, stage(readme, paths)])),
  };
}

function stage(source: string, paths: ReadonlyMap<string, string>): StagedDocument {
  const path = paths.get(source) ?? '';
  const markdown = toPage(source, paths);
  const title = titleOf(source, markdown);
  const target = stagedFile(path);
  writeFileSync(target, `---\ntitle: ${JSON.stringify(title)}\n---\n\n${markdown}`);
  return { title, summary: summaryOf(markdown), path, markdown };
}

function toPage(source: string, paths: ReadonlyMap<string, string>): string {
  const folder = dirname(paths.get(source) ?? '');
  const text = readFileSync(join(root, source), 'utf8');
  const shownFiles = new Set<string>();
  const prepared = outsideOfCode(text, (prose) =>
    prose
      .replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, replaceLink)
      .replace(/\b(src|srcset)="([^":]+)"/g, (_, name, target) => `${name}="${copyImage(target)}"`),
  ).replace(/```mermaid\n([\s\S]*?)```/g, (_, diagram: string) => renderArrows(diagram));
  return [prepared, ...Array.from(shownFiles, toCodeSection)].join('\n');

  function replaceLink(link: string, mark: string, label: string, target: string): string {
    if (/^[a-z]+:|^#/.test(target)) return link;
    if (mark !== '') return `![${label}](${copyImage(target)})`;
    const [file = '', anchor] = target.split('#');
    const aim = pageAt(normalize(join(dirname(source), file)));
    if (isShown(aim, source)) {
      shownFiles.add(aim);
      return `[${label}](#${basename(aim).replaceAll('.', '').toLowerCase()})`;
    }
    const path = paths.get(aim);
    if (path === undefined) return label;
    return `[${label}](${relative(folder, path)}${anchor === undefined ? '' : `#${anchor}`})`;
  }

  function copyImage(target: string): string {
    const image = normalize(join(dirname(source), target));
    const path = join('images', basename(image));
    copyFileSync(join(root, image), stagedFile(path));
    return relative(folder, path);
  }
}

function stagedFile(path: string): string {
  const file = join(stageFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
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

/** Returns the title of a document, without marks of code. */
function titleOf(source: string, markdown: string): string {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined)
    throw new Error(`Failed to stage a document: ${source} has no title. Begin it with "# Title".`);
  return title.replaceAll('`', '');
}

function summaryOf(markdown: string): string {
  const paragraphs = markdown.split('\n\n').filter((part) => /^[\w`[*]/.test(part) && !part.startsWith('Decided on'));
  const [first = ''] = paragraphs;
  return first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
