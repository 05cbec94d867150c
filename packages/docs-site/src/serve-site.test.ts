import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedSite, serveSite } from './serve-site.ts';

let directory: string;
let site: ServedSite;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'memory-read-site-'));
  await mkdir(join(directory, 'site'));
  await writeFile(join(directory, 'site', 'index.html'), 'landing');
  await writeFile(join(directory, 'secret.html'), 'secret');
  site = await serveSite(join(directory, 'site'));
});

afterEach(async () => {
  await site.close();
  await rm(directory, { recursive: true });
});

test('serves the index of a folder as HTML, and a 404 for a missing file', async () => {
  const response = await fetch(site.url);
  expect(await response.text()).toBe('landing');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect((await fetch(`${site.url}absent.html`)).status).toBe(404);
  expect((await fetch(`${site.url}%zz`)).status).toBe(404);
  expect(await statusOf('//')).toBe(404);
});

test.each(['/../secret.html', '/%2e%2e/secret.html', '/..%2fsecret.html'])(
  '%s does not lead out of the folder',
  async (path) => {
    expect(await statusOf(path)).toBe(404);
  },
);

test('an error for a port that is in use says what to do', async () => {
  const port = Number(new URL(site.url).port);
  await expect(serveSite(directory, port)).rejects.toThrow(
    `Failed to serve the site: port ${port} is in use. Pass --port 0 for a free port.`,
  );
});

/** Sends the path unchanged, because `fetch` would resolve the dots. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(site.url, { path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}
