import { MemoryClient } from '@memory-read/client';
import { createLiveSource, createMemoryMcpServer } from '@memory-read/mcp';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const source = createLiveSource(new MemoryClient());

serveStdio(() => {
  const tools = createMemoryMcpServer({
    source,
    memoryUrl: (id) => `https://app.example.com/memories/${encodeURIComponent(id)}`,
  });
  tools.registerTool('account', { description: 'The name of the user' }, () => ({
    content: [{ type: 'text', text: 'Ada' }],
  }));
  return tools;
});
