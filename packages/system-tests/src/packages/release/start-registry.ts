import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A registry of packages on 127.0.0.1, as far as publishing needs one. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** What was published, in order. */
  readonly published: readonly PublishedVersion[];
}

export interface PublishedVersion {
  name: string;
  version: string;
  tarball: Buffer;
}

interface Publication {
  name: string;
  versions: Record<string, object>;
  _attachments: Record<string, { data: string }>;
}

/** Starts it on a free port, without a package. */
export async function startRegistry(): Promise<Registry> {
  const published: PublishedVersion[] = [];
  const documents = new Map<string, Publication>();
  const server = createServer((request, response) => {
    answer(request, documents, published).then(
      ({ status, body }) => reply(response, status, body),
      (error: Error) => reply(response, 500, { error: error.message }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    published,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  documents: Map<string, Publication>,
  published: PublishedVersion[],
): Promise<{ status: number; body: object }> {
  const name = decodeURIComponent((request.url ?? '').slice(1));
  const known = documents.get(name);
  if (request.method !== 'PUT') return known ? { status: 200, body: known } : { status: 404, body: {} };
  if (request.headers.authorization === undefined) return { status: 401, body: {} };
  const publication = (await json(request)) as Publication;
  const [version = ''] = Object.keys(publication.versions);
  const [attachment] = Object.values(publication._attachments);
  published.push({ name, version, tarball: Buffer.from(attachment?.data ?? '', 'base64') });
  documents.set(name, { ...publication, versions: { ...known?.versions, ...publication.versions } });
  return { status: 201, body: { ok: true } };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
