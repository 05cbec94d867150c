import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';

/** Starts a program that serves the tools over standard input and output, and connects a client of the SDK to it. */
export async function openStdioAssistant(program: ConstructorParameters<typeof StdioClientTransport>[0]) {
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(new StdioClientTransport(program));
  return {
    client,
    /** Calls a tool, and returns its structured content. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
    async call(name: string, input: Record<string, unknown>): Promise<any> {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
      expect(isError, JSON.stringify(content)).not.toBe(true);
      return structuredContent;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
