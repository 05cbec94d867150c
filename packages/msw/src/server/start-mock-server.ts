import { problems } from '@memory-read/contract/operations';
import { type RunningServer, serve } from '@memory-read/server/node';
import { assertOptions } from '../checks/assert-options.ts';
import { formatValue } from '../checks/format-value.ts';
import { assertNames, optionError, stateNames } from '../mock-options.ts';
import { createControlApi } from './control/create-control-api.ts';
import type { MockServer, MockServerOptions, MockSpaceOptions } from './mock-server.ts';
import { type OpenSpace, openMockSpace } from './mock-space.ts';
import { targetParts } from './wire-log/create-wire-log.ts';

/**
 * Starts the mock as an HTTP server. It resolves when its space `default` accepts requests.
 *
 * @throws a {@link TypeError} if an option is unknown or invalid.
 * @throws an {@link Error} if it cannot listen, for example on a port in use.
 *
 * @example
 * ```ts
 * import { MemoryClient } from '@memory-read/client';
 * import { startMockServer } from '@memory-read/msw/server';
 *
 * const server = await startMockServer();
 * server.memories.add({ name: 'Stand-up' });
 * server.faults.next({ stop: { share: 0.5 }, by: 'reset' });
 * const client = new MemoryClient({ baseUrl: server.baseUrl, apiKey: server.apiKey });
 * console.log((await client.listMemories())[0]?.name); // Stand-up
 * console.log(server.requests.map(({ ended }) => ended)); // [ 'fault', 'sent' ]
 * await server.close();
 * ```
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  assertNames(options, [...spaceNames, 'hostname', 'publicHost', 'mediaPort', 'spacePorts', 'control']);
  const { hostname = '127.0.0.1', publicHost, mediaPort = 0, spacePorts, control = false } = options;
  assertPort('mediaPort', mediaPort);
  if (spacePorts !== undefined) assertPorts(spacePorts);
  if (control !== false) assertOptions('create the mock', { name: 'control', value: control }, ['port', 'hostname']);
  const { hostname: controlAddress = '127.0.0.1', port: controlPort = 0 } = control || {};
  assertPort('control.port', controlPort);
  const host = hostInUrls(publicHost ?? hostname);
  // A public host names this machine, so it also names a control API that listens on all addresses.
  const controlHost = hostInUrls(isEveryAddress(controlAddress) ? (publicHost ?? controlAddress) : controlAddress);
  const spaces = new Map<string, OpenSpace>();
  /** Ids that are open, or about to be. */
  const ids = new Set<string>();
  let opened = 0;
  let turn = 0;
  let closed: Promise<void> | undefined;

  const media = await starting(
    'start the mock server',
    serve({
      fetch: () => notFound,
      hostname,
      port: mediaPort,
      connection: {
        begin(outgoing) {
          const [, id = '', folder] = targetParts(outgoing.req).path.split('/');
          return folder === 'media' ? spaces.get(id)?.begin(outgoing, 'media') : undefined;
        },
      },
    }),
  );
  const { space } = await open('start the mock server', 'default', { ...options, port: options.port ?? 0 }).catch(
    async (error: unknown) => {
      await media.close();
      throw error;
    },
  );
  let controlApi: RunningServer | undefined;
  const server: MockServer = {
    ...space,
    get controlUrl() {
      return controlApi === undefined ? null : `http://${controlHost}:${controlApi.port}`;
    },
    async openSpace(given = {}) {
      assertNames(given, ['id', ...spaceNames]);
      return (await open('open a space', given.id ?? freeId(), given)).space;
    },
    spaces: () => Array.from(spaces.values(), (each) => each.space),
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => server.close(),
  };
  if (control === false) return server;
  const fetch = createControlApi(server, {
    hosts: [publicHost, controlAddress].filter((name) => name !== undefined),
    nextEntry: ({ id }, signal) => spaces.get(id)?.nextEntry(signal) ?? Promise.reject(closedError()),
  });
  controlApi = await starting(
    'start the mock server',
    serve({ fetch, hostname: controlAddress, port: controlPort }),
  ).catch(async (error) => {
    await server.close();
    throw error;
  });
  return server;

  async function close(): Promise<void> {
    // A request that waits for an entry ends with its space.
    await Promise.all([...server.spaces().map((each) => each.close()), media.close(), controlApi?.close()]);
  }

  function freeId(): string {
    do opened += 1;
    while (ids.has(`space-${opened}`));
    return `space-${opened}`;
  }

  async function open(action: string, id: string, given: MockSpaceOptions): Promise<OpenSpace> {
    if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(id)) throw idError(id);
    if (ids.has(id)) throw takenError(id);
    if (closed !== undefined) throw closedError();
    if (given.port !== undefined) assertPort('port', given.port);
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
      if (closed !== undefined) {
        await added.space.close();
        throw closedError();
      }
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
function hostInUrls(name: string): string {
  if (isEveryAddress(name)) return '127.0.0.1';
  const host = typeof name === 'string' && name.includes(':') ? `[${name}]` : name;
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (url?.hostname === host) return host;
  throw optionError(`the host ${formatValue(name)} cannot be in a URL`, 'Pass a name or an address in lowercase');
}

function assertPort(name: string, port: unknown): void {
  if (isPort(port)) return;
  throw optionError(`${name} is ${formatValue(port)}, which is not a port`, 'Pass a whole number from 0 to 65535');
}

function assertPorts(ports: unknown): void {
  const isRange =
    Array.isArray(ports) && ports.length === 2 && ports.every(isPort) && ports[0] <= ports[1] && ports[0] > 0;
  if (isRange) return;
  throw optionError(
    `spacePorts is ${formatValue(ports)}, which is not a range of ports`,
    'Pass the first and the last one, such as [8801, 8820]',
  );
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Names the action in the error of a port. */
async function starting(action: string, start: Promise<RunningServer>): Promise<RunningServer> {
  try {
    return await start;
  } catch (error) {
    const { message, cause } = error as Error;
    const [, address] = /: (port \d+ of \S+) is in use/.exec(message) ?? [];
    const reason = address && `${address} is already in use. Choose another port.`;
    throw new Error(`Failed to ${action}: ${reason ?? message.replace(/^.*?: /, '')}`, { cause });
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

function closedError(): Error {
  return new Error('Failed to open a space: the server is closed. Start another one.');
}

function takenError(id: string): RangeError {
  return new RangeError(
    `Failed to open a space: the space ${JSON.stringify(id)} is already open. Close it, or choose another id.`,
  );
}
