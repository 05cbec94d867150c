import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { type Listening, listen } from '@memory-read/test-kit/listen';

/** A registry on 127.0.0.1 that passes each request on to the registry of this machine and counts the bytes it returns. */
export interface CountingRegistry extends Listening {
  /** Bytes by path, in the order of the first response. */
  readonly loaded: ReadonlyMap<string, number>;
}

export async function startCountingRegistry(): Promise<CountingRegistry> {
  const upstream = npmConfig('registry');
  // npm may trust other certificates than Node does.
  const cafile = npmConfig('cafile');
  const trust = existsSync(cafile) ? { ca: readFileSync(cafile) } : {};
  const send = upstream.startsWith('https:') ? requestByHttps : requestByHttp;
  const loaded = new Map<string, number>();
  const server = await listen(({ url: path = '/', method, headers }, response) => {
    const url = new URL(path.slice(1), upstream);
    const passedOn = send(url, { method, headers: { ...headers, host: url.host }, ...trust }, (answer) => {
      answer.on('data', ({ length }: Buffer) => loaded.set(path, (loaded.get(path) ?? 0) + length));
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    passedOn.end();
  });
  return { ...server, loaded };
}

function npmConfig(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
}
