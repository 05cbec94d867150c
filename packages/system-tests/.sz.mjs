import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const r = await build({
  entryPoints: ['/tmp/wt-A/packages/client/src/playback/index.ts'],
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  conditions: ['@memory-read/source'],
  platform: 'browser',
  target: 'es2023',
  metafile: true,
});
const o = Object.values(r.metafile.outputs)[0];
for (const [k, v] of Object.entries(o.inputs)) console.log(v.bytesInOutput, k);
console.log(r.outputFiles[0].contents.length, gzipSync(r.outputFiles[0].contents, { level: 9 }).length);
if (process.argv[2]) console.log(r.outputFiles[0].text);
