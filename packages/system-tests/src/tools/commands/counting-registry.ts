import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { join } from 'node:path';
import { listen } from '@memory-read/test-kit/listen';
import type { FreshClone } from './fresh-clone.ts';

/**
 * Runs commands in a clone whose registry passes each request on to that of this machine. Counts the bytes of all
 * packages but Node, and lists the paths of the packages with a Node.
 */
export async function countDownloads<Result>({ home }: FreshClone, work: () => Promise<Result>) {
  const upstream = npmConfig('registry');
  // npm may trust other certificates than Node does.
  const cafile = npmConfig('cafile');
  const trust = existsSync(cafile) ? { ca: readFileSync(cafile) } : {};
  const send = upstream.startsWith('https:') ? requestByHttps : requestByHttp;
  const loaded = new Map<string, number>();
  await using registry = await listen(({ url: path = '/', method, headers }, response) => {
    const url = new URL(path.slice(1), upstream);
    const passedOn = send(url, { method, headers: { ...headers, host: url.host }, ...trust }, (answer) => {
      answer.on('data', ({ length }: Buffer) => loaded.set(path, (loaded.get(path) ?? 0) + length));
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    passedOn.end();
  });
  const npmrc = join(home, '.npmrc');
  writeFileSync(npmrc, `registry=${registry.url}/\nreplace-registry-host=always\n`);
  const result = await work().finally(() => rmSync(npmrc));
  const isNode = (path: string) => /^\/node-(bin-)?(linux|darwin|win)-\w+\/-\//.test(path);
  const bytes = [...loaded].filter(([path]) => !isNode(path)).reduce((sum, [, length]) => sum + length, 0);
  return { result, bytes, nodes: [...loaded.keys()].filter(isNode) };
}

function npmConfig(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
}
