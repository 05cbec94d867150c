import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The documents as they go into the site, in folders as in the repository. Git ignores it. */
export const stageFolder = fileURLToPath(new URL('../.cache/documents/', import.meta.url));

/** The built site. Git ignores it. */
export const siteFolder = fileURLToPath(new URL('../dist/', import.meta.url));
