import { MemoryClient } from '@memory-read/client';
import { createLiveSource, createMemoryMcpServer, createMirrorSource, type MemorySource } from '@memory-read/mcp';
import { type RunningMcpServer, serveMcpHttp, serveMcpStdio } from '@memory-read/mcp/node';
import { openMirror } from '@memory-read/mirror';

export async function serve(): Promise<string> {
  const source: MemorySource = createLiveSource(new MemoryClient(), { transcriptRequests: 4 });
  // @ts-expect-error a typo in an option does not compile
  createLiveSource(new MemoryClient(), { transcriptRequest: 4 });
  const server: RunningMcpServer = await serveMcpHttp({ source, token: undefined });
  return server.url;
}

export async function serveMirror(): Promise<void> {
  const source = createMirrorSource(await openMirror({ folder: 'memories', readOnly: true }));
  serveMcpStdio({ source, memoryUrl: (id) => `https://app.example/${id}` });
  createMemoryMcpServer({ source }).registerTool('now', {}, () => ({ content: [] }));
}
