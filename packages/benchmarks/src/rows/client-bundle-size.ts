import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { amount, type Finding, type Goal, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { peerNames } from '../peers/client-calls.ts';

/** Clients that their packages do not export by default. */
const classes: Record<string, string> = { assemblyai: '{ AssemblyAI }', resend: '{ Resend }' };

export const clientBundleSize: Row = {
  id: 'client-bundle-size',
  title: 'Client: size in a bundle',
  method:
    'esbuild bundles and minifies a module that exports the client class, with all dependencies, for browsers. The result is compressed with `gzip -9`. Sizes are exact, so there is no spread.',
  async measure() {
    const client = await kilobytesOf('{ MemoryClient }', '@memory-read/client');
    const peers: Finding[] = [];
    for (const name of peerNames) {
      const size = await kilobytesOf(classes[name] ?? '{ default }', name);
      peers.push(ratio(`\`MemoryClient\` against ${name} (${size.toFixed(1)} kB)`, [client], [size]));
    }
    const entry = async (name: string, goal?: Goal) =>
      amount(`\`/${name}\`, everything`, 'kB', await kilobytesOf('*', `@memory-read/client/${name}`), goal);
    return {
      findings: [
        amount('`MemoryClient`', 'kB', client, { atMost: 30 }),
        await entry('transcript', { atMost: 3 }),
        await entry('media-url', { atMost: 1 }),
        await entry('playback', { atMost: 4.096 }),
        await entry('query'),
        amount('ky alone', 'kB', await kilobytesOf('{ default }', 'ky')),
        ...peers,
      ],
      explanation:
        'ky is a quarter of the bundle; a [decision](decisions/ky.md) explains why it stays. Three attempts to reach the goal gave 0.7 kB together: one table of options with one check (0.15 kB), tables of the contract without their descriptions (0.24 kB), and one inspector of values and one time limit (0.26 kB). Compression already removes repetition, so only unique code and texts count. Downloads, media URLs and the rules for their origins take about 2.9 kB. They are methods of one class, so a bundler cannot leave them out. A next step is to offer them as functions too, in an entry point without the class.',
    };
  },
};

async function kilobytesOf(exported: string, module: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${exported} from '${module}'`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['node:*'],
    logLevel: 'error',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length / 1_000;
}
