import type { MemoryClient } from '@memory-read/client';
import { createLiveSource, createMemoryMcpServer } from '@memory-read/mcp';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Names of the people behind the labels, by memory. Your app would read them from its own database. */
export type Names = Record<string, Record<string, string>>;

/** Returns a function that makes servers with the tools of the package, and with one tool of this app beside them. */
export function toolsFactory(client: MemoryClient, names: Names): () => McpServer {
  // One source for all servers, so that they share the transcripts that were read.
  const source = createLiveSource(client);
  return () => {
    const server = createMemoryMcpServer({
      source,
      memoryUrl: (id) => `https://app.example/${encodeURIComponent(id)}`,
    });
    server.registerTool(
      'who_is',
      {
        title: 'Name of a speaker',
        description: 'The name of the person behind a speaker label of a recording.',
        inputSchema: z.object({ id: z.string(), speaker: z.string() }),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      ({ id, speaker }) => {
        const name = names[decodeURIComponent(id)]?.[speaker] ?? 'unknown';
        return { content: [{ type: 'text', text: JSON.stringify({ name }) }] };
      },
    );
    return server;
  };
}
