import { MemoryClient } from '@memory-read/client';
import { useCatalogue } from '@memory-read/integration-tests/client/faults/played-catalogue';
import { expect, test } from 'vitest';

type Dispatcher = new (limits: { headersTimeout: number; bodyTimeout: number }) => object;

const played = useCatalogue();

test.concurrent.each([
  ['nothing arrives after the request', 'UND_ERR_HEADERS_TIMEOUT', 'headersTimeout'],
  ['the body stalls', 'UND_ERR_BODY_TIMEOUT', 'bodyTimeout'],
])(
  'where %s, the limit of the fetch of Node applies before a longer timeout, and the error says so (%s)',
  async (name, code, setting) => {
    const baseUrl = played().addressOf(name);
    const client = new MemoryClient({ baseUrl, apiKey: 'mrk_key', fetch: shortLived(), retries: 0 });
    const call = client.listMemories();
    await expect(call).rejects.toThrow(`(${code}). Check the network, or raise ${setting} of the undici Agent`);
    await expect(call).rejects.toMatchObject({ code: 'connection', cause: { cause: { code } } });
  },
);

/** Node's fetch with a limit of 100 ms instead of 300 s. Its timer still takes a second. */
function shortLived(): (request: Request) => Promise<Response> {
  const dispatcher = new (agentOfNode())({ headersTimeout: 100, bodyTimeout: 100 });
  const init: RequestInit & { dispatcher: object } = { dispatcher };
  return (request) => fetch(request, init);
}

/** Node does not export the class. The undici package exports it, but it is another copy. */
function agentOfNode(): Dispatcher {
  const globals = globalThis as unknown as Record<symbol, object | undefined>;
  const dispatcher =
    globals[Symbol.for('undici.globalDispatcher.2')] ?? globals[Symbol.for('undici.globalDispatcher.1')];
  return (dispatcher?.constructor as Dispatcher | undefined) ?? expect.fail('Node has no global dispatcher.');
}
