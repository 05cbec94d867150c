import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { sampleList } from '../sample-list.ts';

/** A site whose page and workers run the built client, with an API of its own. */
export interface ProbeSite extends AsyncDisposable {
  readonly url: string;
  /** The `Authorization` of each request to the API, as it arrived; redirects' targets included. */
  readonly authorizations: readonly (string | undefined)[];
  /** Requests to where the API redirects. */
  readonly redirected: readonly string[];
}

/** Starts it on a free port of 127.0.0.1. */
export async function serveClientProbe(): Promise<ProbeSite> {
  const scripts = await bundleScripts();
  const authorizations: (string | undefined)[] = [];
  const redirected: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const script = scripts.get(url);
    if (script !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (url === '/moved/v1/memories') return response.writeHead(302, { location: '/elsewhere' }).end();
    if (url === '/elsewhere') redirected.push(url);
    if (url !== '/api/v1/memories')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    authorizations.push(request.headers.authorization);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sampleList));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations,
    redirected,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** By their path: the module of the page, and the script of the workers. */
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
