import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';

/** A program that serves the tools over standard input and output. */
export interface StdioProgram {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** A client of the tools, from the SDK of the protocol. */
export interface Assistant extends AsyncDisposable {
  client: Client;
  /** Calls a tool, and returns its structured content. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  call(name: string, input: Record<string, unknown>): Promise<any>;
}

/** Starts a program, and connects a client to it. */
export function openStdioAssistant(program: StdioProgram): Promise<Assistant> {
  return connect(new StdioClientTransport(program));
}

/** Connects a client to a server over HTTP. */
export function openHttpAssistant(url: string): Promise<Assistant> {
  return connect(new StreamableHTTPClientTransport(new URL(url)));
}

async function connect(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(transport);
  return {
    client,
    call: async (name, input) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
      expect(isError, JSON.stringify(content)).not.toBe(true);
      return structuredContent;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
