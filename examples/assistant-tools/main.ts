/** node main.ts [--http PORT]: the tools on standard input and output, or on a port of this machine. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toolsFactory } from './create-tools.ts';

const { values } = parseArgs({ options: { http: { type: 'string' } } });
try {
  const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
  const createTools = toolsFactory(client, { mem_1: { 'Speaker 1': 'Ada' } });
  if (values.http === undefined) serveStdio(createTools);
  else await serveHttp(toNodeHandler(createMcpHandler(createTools)), Number(values.http));
} catch (error) {
  if (!isMemoryApiError(error)) throw error;
  // Standard output belongs to the protocol.
  console.error(error.message);
  process.exitCode = 1;
}

/** Serves programs of this machine, and no web page. */
async function serveHttp(handle: ReturnType<typeof toNodeHandler>, port: number): Promise<void> {
  const isLocalHost = localhostHostValidation();
  const isLocalOrigin = localhostOriginValidation();
  const http = createServer((request, response) => {
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
    // The SDK declares optional fields without undefined.
    handle(request as Parameters<typeof handle>[0], response).catch(() => response.destroy());
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  console.log(`The tools are at http://127.0.0.1:${port}/mcp`);
}
