import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { exactly, type Finding, type Row } from '../measurement/row.ts';
import { peerNames } from '../peers/client-calls.ts';

export const clientBundleSize: Row = {
  id: 'client-bundle-size',
  title: 'Client: size in a bundle',
  method:
    'esbuild bundles and minifies a module that exports the client class, with all dependencies, for browsers. The result is compressed with `gzip -9`. Sizes are exact, so there is no spread.',
  async measure() {
    const client = await bundledSize(`export { MemoryClient } from '@memory-read/client'`);
    const ky = await bundledSize(`export { default } from 'ky'`);
    const peers: Finding[] = [];
    for (const name of peerNames) peers.push(comparison(client, name, await bundledSize(exportOf(name))));
    return {
      findings: [
        { ...sizeOf('`MemoryClient`', client), goal: { atMost: 30 } },
        {
          ...sizeOf('`/transcript`, everything', await bundledSize(`export * from '@memory-read/client/transcript'`)),
          goal: { atMost: 3 },
        },
        {
          ...sizeOf('`/media-url`, everything', await bundledSize(`export * from '@memory-read/client/media-url'`)),
          goal: { atMost: 1 },
        },
        {
          ...sizeOf('`/playback`, everything', await bundledSize(`export * from '@memory-read/client/playback'`)),
          goal: { atMost: 4.096 },
        },
        sizeOf('`/query`, everything', await bundledSize(`export * from '@memory-read/client/query'`)),
        sizeOf('ky alone', ky),
        ...peers,
      ],
      explanation:
        'ky is a quarter of the bundle; a [decision](decisions/ky.md) explains why it stays. Three attempts to reach the goal gave 0.7 kB together: one table of options with one check (0.15 kB), tables of the contract without their descriptions (0.24 kB), and one inspector of values and one time limit (0.26 kB). Compression already removes repetition, so only unique code and texts count. Downloads, media URLs and the rules for their origins take about 2.9 kB. They are methods of one class, so a bundler cannot leave them out. A next step is to offer them as functions too, in an entry point without the class.',
    };
  },
};

function exportOf(name: string): string {
  const member = name === 'assemblyai' ? 'AssemblyAI' : name === 'resend' ? 'Resend' : 'default';
  return `export { ${member} } from '${name}'`;
}

function sizeOf(what: string, bytes: number): Finding {
  return { what, value: exactly(bytes / 1_000), unit: 'kB' };
}

function comparison(ours: number, name: string, theirs: number): Finding {
  const kilobytes = (theirs / 1_000).toFixed(1);
  return { what: `\`MemoryClient\` against ${name} (${kilobytes} kB)`, value: exactly(ours / theirs), unit: '×' };
}

async function bundledSize(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['node:*'],
    logLevel: 'error',
    write: false,
  });
  const [output] = outputFiles;
  if (output === undefined)
    throw new Error(`Failed to bundle: esbuild wrote nothing for ${contents}. Run esbuild by hand.`);
  return gzipSync(output.contents, { level: 9 }).length;
}
