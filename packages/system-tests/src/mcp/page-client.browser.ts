import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Calls a tool from a page, and returns its result or its error. */
async function callFromPage({ url, token }: { url: string; token: string }): Promise<unknown> {
  const client = new Client({ name: 'page', version: '0.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return (await client.callTool({ name: 'list_memories', arguments: {} })).structuredContent;
  } catch (error) {
    return String(error);
  }
}

Object.assign(globalThis, { callFromPage });
