import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/**
 * Serves the tools over HTTP to programs on this machine. There are no sessions: each request is complete in itself.
 */
export async function serveHttp(createTools: () => McpServer, port: number): Promise<Server> {
  const http = createServer((request, response) => {
    if (!isLocal(request)) return response.writeHead(403).end();
    if (request.url !== '/mcp') return response.writeHead(404).end();
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    return void respond(createTools(), request, response);
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return http;
}

async function respond(tools: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new StreamableHTTPServerTransport();
  response.on('close', () => void tools.close());
  await tools.connect(transport);
  await transport.handleRequest(request, response);
}

/** Rejects other hosts: a web page can send requests here under a name that resolves to 127.0.0.1. */
function isLocal({ headers: { host, origin } }: IncomingMessage): boolean {
  const local = ['127.0.0.1', 'localhost'];
  const isLocalUrl = (url: string) => local.includes(URL.parse(url)?.hostname ?? '');
  return isLocalUrl(`http://${host}`) && (origin === undefined || isLocalUrl(origin));
}
