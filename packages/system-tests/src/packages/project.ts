import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the packages have in common. The root's package.json is the only place of these values. */
export interface Project {
  author: string;
  /** Address for browsers, or `undefined` while it names no owner. */
  repository: string | undefined;
  keywords: string[];
}

export function readProject(folder: string): Project {
  const { repository, ...project } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { ...project, repository: repository.includes('OWNER') ? undefined : repository };
}
