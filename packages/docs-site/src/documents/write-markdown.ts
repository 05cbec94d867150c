import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stageFolder } from '../folders.ts';
import type { StagedDocument, StagedDocuments } from './stage-documents.ts';

/** Writes each document as Markdown at the address of its page plus `.md`, and a list of them for assistants. */
export function writeMarkdown({ home, groups, readmes }: StagedDocuments, site: string): void {
  const packages = { title: 'Packages', documents: [...readmes.values()] };
  const lists = [...groups, packages].map(
    ({ title, documents }) => `## ${title}\n\n${documents.map(toItem).join('\n')}\n`,
  );
  writeFileSync(join(site, 'llms.txt'), [`# Memory Read\n\n> ${home.summary}\n`, ...lists].join('\n'));
  for (const { path, markdown } of [home, ...[...groups, packages].flatMap(({ documents }) => documents)]) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), markdown);
  }
  const images = join(stageFolder, 'images');
  if (existsSync(images)) cpSync(images, join(site, 'images'), { recursive: true });
}

function toItem({ title, path, summary }: StagedDocument): string {
  return `- [${title}](${path}): ${summary}`;
}
