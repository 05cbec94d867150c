import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { listen } from '@memory-read/test-kit/listen';

/** The part of the request that npm sends to publish a version. */
interface Publication {
  name: string;
  versions: Record<string, object>;
  _attachments: Record<string, { data: string }>;
}

/** A version that the registry serves without a publication. */
export interface ServedVersion {
  name: string;
  version: string;
  tarball: Buffer;
  /** What the registry says of the tarball. Default: its integrity. */
  dist?: object;
  /** What the registry says of the version. */
  manifest?: object;
}

/** Starts a registry on a free port of 127.0.0.1 that supports what publishing and installing need. */
export async function startRegistry() {
  const published: { name: string; version: string; tarball: Buffer }[] = [];
  const documents = new Map<string, object>();
  const tarballs = new Map<string, Buffer>();
  const server = await listen(async (request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1));
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const tarball = tarballs.get(path);
    if (tarball) return response.writeHead(200, { 'content-length': tarball.length }).end(tarball);
    const known = documents.get(path);
    if (request.method !== 'PUT') return reply(known ? 200 : 404, known ?? {});
    if (request.headers.authorization === undefined) return reply(401, {});
    const publication = (await json(request)) as Publication;
    const { name, versions, _attachments: attachments } = publication;
    const [version = ''] = Object.keys(versions);
    const [attachment] = Object.values(attachments);
    published.push({ name, version, tarball: Buffer.from(attachment?.data ?? '', 'base64') });
    documents.set(name, publication);
    return reply(201, { ok: true });
  });
  const serve = ({ name, version, tarball, dist = { integrity: integrityOf(tarball) }, manifest }: ServedVersion) => {
    const now = new Date().toISOString();
    const path = `${name}/-/${version}.tgz`;
    tarballs.set(path, tarball);
    documents.set(name, {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { name, version, dist: { tarball: `${server.url}/${path}`, ...dist }, ...manifest } },
      modified: now,
      time: { created: now, modified: now, [version]: now },
    });
  };
  return { ...server, url: `${server.url}/`, published, serve };
}

/** Returns the integrity of a tarball, as registries and lockfiles state it. */
export function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}

/** Returns the tarball of a package with these files. */
export function packFiles(files: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-tarball-'));
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, 'package', path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const tarball = execFileSync('tar', ['-czf', '-', '-C', folder, 'package']);
  rmSync(folder, { recursive: true });
  return tarball;
}
