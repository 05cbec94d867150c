/** node packages/docs-site/src/build.ts: builds the site. */
import { buildSite } from './build-site.ts';
import { siteFolder } from './folders.ts';

await buildSite();
console.log(`The site is in ${siteFolder}. Look at it with: npm run docs:serve`);
