import { join } from 'node:path';
import { sampleMemory } from '@memory-read/integration-tests/client/faults/samples';
import { listen } from '@memory-read/test-kit/listen';
import { build } from 'esbuild';

const memories = [sampleMemory({ id: 'mem_2' }), sampleMemory()];

/** Serves a site whose page and workers run the built client, with its own API. */
export async function serveClientProbe() {
  const scripts = await bundleScripts();
  const authorizations: (string | undefined)[] = [];
  let strays = 0;
  const server = await listen(({ url = '', headers }, response) => {
    const script = scripts.get(url);
    if (script !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (url === '/moved/v1/memories') return response.writeHead(302, { location: '/elsewhere' }).end();
    if (url === '/elsewhere') strays += 1;
    if (url !== '/api/v1/memories')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    authorizations.push(headers.authorization);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(memories));
  });
  return {
    ...server,
    /** The `Authorization` of each request to the API, as it arrived. */
    authorizations,
    /** Number of requests to the target of redirects of the API. */
    strays: () => strays,
  };
}

/** Scripts by their path: the module of the page, and the script of the workers. */
async function bundleScripts(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: ['client-probe', 'client-worker'].map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: '/',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
}
