import { rm } from 'node:fs/promises';
import { MemoryClient } from '@memory-read/client';
import { createLiveSource, createMemoryMcpServer, createMirrorSource } from '@memory-read/mcp';
import { serveMcpHttp } from '@memory-read/mcp/node';
import { openMirror } from '@memory-read/mirror';

const client = new MemoryClient();
// #region live-source
const source = createLiveSource(client, { transcriptRequests: 64, listMaxAge: 60_000 });
// #endregion

// #region server
const tools = createMemoryMcpServer({
  source,
  memoryUrl: (id) => `https://app.example.com/memories/${encodeURIComponent(id)}`,
});
tools.registerTool('account', { description: 'The name of the user' }, () => ({
  content: [{ type: 'text', text: 'Ada' }],
}));
// #endregion
console.log(tools.isConnected());

const folder = process.env.MEMORY_FOLDER ?? 'memories';
const writer = await openMirror({ folder });
await writer.sync(client);
await writer.close();
// #region mirror-source
const mirror = await openMirror({ folder, readOnly: true });
const server = await serveMcpHttp({ source: createMirrorSource(mirror) });
// #endregion
await server.close();
await mirror.close();
await rm(folder, { recursive: true });
