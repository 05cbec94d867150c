import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';

/** Calls a tool, and returns its result. */
export type CallTool = (name: string, input: Record<string, unknown>) => Promise<CallToolResult>;

/** Connects a client of the official SDK to a server in this process. */
export async function connectAssistant(server: McpServer): Promise<CallTool> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'benchmark', version: '0.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  return async (name, input) => {
    const result = await client.callTool({ name, arguments: input });
    if (result.isError !== true) return result as CallToolResult;
    throw new Error(`Failed to call ${name}: ${JSON.stringify(result.content)} Check the input.`);
  };
}

/** Connects a client to a server whose only tool returns a result that is ready. */
export function connectToReadyTool(name: string, result: CallToolResult): Promise<CallTool> {
  const server = new McpServer({ name: 'ready', version: '0.0.0' });
  server.registerTool(name, {}, () => result);
  return connectAssistant(server);
}
