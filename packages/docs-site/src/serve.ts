/** node packages/docs-site/src/serve.ts [--port 8080]: serves the built site until the process ends. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildSite } from './build-site.ts';
import { siteFolder } from './folders.ts';
import { serveSite } from './serve-site.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8080' } } });
if (!existsSync(siteFolder)) await buildSite();
const { url } = await serveSite(siteFolder, Number(values.port));
console.log(`The site is at ${url}. End it with Ctrl+C.`);
