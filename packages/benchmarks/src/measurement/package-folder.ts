import { fileURLToPath } from 'node:url';

/** The folder of this package, from where its dependencies are found. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
