/** node main.ts [--http PORT]: the tools on standard input and output, or on a port of this machine. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createAssistantServer } from './create-assistant-server.ts';
import { serveHttp } from './serve-http.ts';

const { values } = parseArgs({ options: { http: { type: 'string' } } });
try {
  const client = new MemoryClient({ totalTimeout: 30_000 }); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
  const createTools = () => createAssistantServer(client);
  if (values.http === undefined) {
    await createTools().connect(new StdioServerTransport());
  } else {
    const http = await serveHttp(createTools, Number(values.http));
    console.log(`The tools are at http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  }
} catch (error) {
  if (!isMemoryApiError(error)) throw error;
  // Standard output belongs to the protocol.
  console.error(error.message);
  process.exitCode = 1;
}
