import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Folder of the documents that are ready for the site, with the folders of the repository. Git ignores it. */
export const stageFolder = fileURLToPath(new URL('../.cache/documents/', import.meta.url));

/** Folder of the built site. Git ignores it. */
export const siteFolder = fileURLToPath(new URL('../dist/', import.meta.url));
