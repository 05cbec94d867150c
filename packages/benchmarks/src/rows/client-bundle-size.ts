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
    'esbuild bundles and minifies the client with all dependencies for browsers. The size is that after `gzip -9`.',
  async measure() {
    const client = await kilobytesOf('{ MemoryClient }', '@memory-read/client');
    const functions = await kilobytesOf('{ createClient, listMemories, getMemory }', '@memory-read/client/functions');
    const peers: Finding[] = [];
    for (const name of peerNames) {
      const size = await kilobytesOf(classes[name] ?? '{ default }', name);
      peers.push(ratio(`\`MemoryClient\` against ${name} (${size.toFixed(1)} kB)`, [client], [size]));
    }
    const entry = async (name: string, goal?: Goal) =>
      amount(`\`/${name}\`, everything`, 'kB', await kilobytesOf('*', `@memory-read/client/${name}`), goal);
    return {
      findings: [
        amount('`createClient`, `listMemories` and `getMemory`', 'kB', functions, { atMost: 22.5 }),
        amount('`MemoryClient`', 'kB', client, { atMost: 31 }),
        await entry('transcript', { atMost: 3 }),
        await entry('search', { atMost: 7.2 }),
        await entry('media-url', { atMost: 1 }),
        await entry('playback', { atMost: 4.096 }),
        amount('ky alone', 'kB', await kilobytesOf('{ default }', 'ky')),
        ...peers,
      ],
      explanation:
        'ky is 8.9 kB of each client, and [stays](decisions/ky.md). `/transcript` grew when it began to split captions at sentences and words.',
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
