import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMemoryMcpServer, type MemoryMcpOptions } from '../create-memory-mcp-server.ts';

/** Result of a tool. */
export interface Answer {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  content: any;
}

/** A client of the tools in the same process. */
export interface Assistant {
  client: Client;
  call(name: string, input?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Answer>;
}

/** Connects a client to a server over these options. */
export async function openAssistant(options: MemoryMcpOptions): Promise<Assistant> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '0.0.0' });
  await Promise.all([createMemoryMcpServer(options).connect(there), client.connect(here)]);
  return assistantOf(client);
}

/** Returns the calls of a connected client. */
export function assistantOf(client: Client): Assistant {
  return {
    client,
    call: async (name, input = {}, options = {}) => {
      const result = await client.callTool({ name, arguments: input }, options);
      const [content] = result.content;
      const text = content?.type === 'text' ? content.text : '';
      return { isError: result.isError === true, text, content: result.structuredContent };
    },
  };
}
