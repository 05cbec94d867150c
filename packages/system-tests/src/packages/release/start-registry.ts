import { json } from 'node:stream/consumers';
import { listen } from '@memory-read/test-kit/listen';

/** The part of the request that npm sends to publish a version. */
interface Publication {
  name: string;
  versions: Record<string, object>;
  _attachments: Record<string, { data: string }>;
}

/** Starts a registry on a free port of 127.0.0.1 that supports what publishing needs. */
export async function startRegistry() {
  const published: { name: string; version: string; tarball: Buffer }[] = [];
  const documents = new Map<string, Publication>();
  const server = await listen(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const known = documents.get(decodeURIComponent((request.url ?? '').slice(1)));
    if (request.method !== 'PUT') return reply(known ? 200 : 404, known ?? {});
    if (request.headers.authorization === undefined) return reply(401, {});
    const publication = (await json(request)) as Publication;
    const { name, versions, _attachments: attachments } = publication;
    const [version = ''] = Object.keys(versions);
    const [attachment] = Object.values(attachments);
    published.push({ name, version, tarball: Buffer.from(attachment?.data ?? '', 'base64') });
    documents.set(name, { ...publication, versions: { ...known?.versions, ...versions } });
    return reply(201, { ok: true });
  });
  return { ...server, url: `${server.url}/`, published };
}
