import { problems } from '@memory-read/contract/operations';
import { type RunningServer, serve } from '@memory-read/server/node';
import { formatValue } from '../checks/format-value.ts';
import { assertNames, stateNames } from '../mock-options.ts';
import type { MockServer, MockServerOptions, MockSpaceOptions } from './mock-server.ts';
import { type OpenSpace, openMockSpace } from './mock-space.ts';
import { targetParts } from './wire-log/create-wire-log.ts';

/**
 * Starts the mock as an HTTP server. It resolves when its space `default` accepts requests.
 *
 * @throws a {@link TypeError} if an option is unknown or invalid.
 * @throws an {@link Error} if it cannot listen, for example on a port in use.
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  assertNames(options, [...spaceNames, 'hostname', 'publicHost', 'mediaPort', 'spacePorts', 'control']);
  const { hostname = '127.0.0.1', mediaPort = 0, spacePorts, ...defaults } = options;
  const host = hostInUrls(options.publicHost ?? hostname);
  const spaces = new Map<string, OpenSpace>();
  /** Ids that are open, or about to be. */
  const ids = new Set<string>();
  let opened = 0;
  let turn = 0;

  const media = await starting(
    'start the mock server',
    serve({
      fetch: () => notFound,
      hostname,
      port: mediaPort,
      connection: {
        open: (_, read) => read(),
        begin(outgoing) {
          const [, id = '', folder] = targetParts(outgoing.req).path.split('/');
          return folder === 'media' ? spaces.get(id)?.begin(outgoing, 'media') : undefined;
        },
      },
    }),
  );
  const { space } = await open('start the mock server', 'default', { ...defaults, port: options.port ?? 0 }).catch(
    async (error) => {
      await media.close();
      throw error;
    },
  );
  let closed: Promise<void> | undefined;
  const server: MockServer = {
    ...space,
    controlUrl: null,
    async openSpace(given = {}) {
      assertNames(given, ['id', ...spaceNames]);
      return (await open('open a space', given.id ?? freeId(), given)).space;
    },
    spaces: () => Array.from(spaces.values(), (each) => each.space),
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;

  async function close(): Promise<void> {
    await Promise.all(server.spaces().map((each) => each.close()));
    await media.close();
  }

  function freeId(): string {
    do opened += 1;
    while (ids.has(`space-${opened}`));
    return `space-${opened}`;
  }

  async function open(action: string, id: string, given: MockSpaceOptions): Promise<OpenSpace> {
    if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(id)) throw idError(id);
    if (ids.has(id)) throw takenError(id);
    ids.add(id);
    const forget = () => {
      ids.delete(id);
      spaces.delete(id);
    };
    try {
      const added = await openMockSpace(given, {
        id,
        hostname,
        host,
        mediaUrl: `http://${host}:${media.port}/${id}/media`,
        listen: (start) =>
          given.port === undefined && spacePorts !== undefined
            ? listenInTurn(start)
            : starting(action, start(given.port ?? 0)),
        redactKeys: (text) => [...spaces.values()].reduce((rest, each) => each.redactKeys(rest), text),
        onClose: forget,
      });
      spaces.set(id, added);
      return added;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Uses the ports one after another, so that a late request of a closed space meets no new one. */
  async function listenInTurn(start: (port: number) => Promise<RunningServer>): Promise<RunningServer> {
    const [first, last] = spacePorts as readonly [number, number];
    const count = last - first + 1;
    for (let tried = 0; tried < count; tried += 1) {
      const port = first + (turn % count);
      turn += 1;
      try {
        return await start(port);
      } catch (error) {
        if (!isInUse(error)) throw error;
      }
    }
    throw new RangeError(
      `Failed to open a space: the ports ${first} to ${last} are all in use. Close a space, or start the server with more ports.`,
    );
  }
}

const spaceNames = [...stateNames, 'apiKey', 'basePath', 'port', 'tls'];

const { status, detail } = problems['route-not-found'];
const notFound = { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ detail }) };

/** An address that means all addresses cannot be in a URL. */
function hostInUrls(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Names the action in the error of a port. */
async function starting(action: string, start: Promise<RunningServer>): Promise<RunningServer> {
  try {
    return await start;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [, address] = /: (port \d+ of \S+) is in use/.exec(error.message) ?? [];
    const reason = address && `${address} is already in use. Choose another port.`;
    error.message = `Failed to ${action}: ${reason ?? error.message.replace('Failed to start the server: ', '')}`;
    throw error;
  }
}

function isInUse(error: unknown): boolean {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}

function idError(id: unknown): TypeError {
  return new TypeError(
    `Failed to open a space: id is ${formatValue(id)}, which is not a valid id. Use up to 63 lowercase letters, digits and hyphens, without a hyphen at the start.`,
  );
}

function takenError(id: string): RangeError {
  return new RangeError(
    `Failed to open a space: the space ${JSON.stringify(id)} is already open. Close it, or choose another id.`,
  );
}
