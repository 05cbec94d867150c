import { MemoryClient } from '@memory-read/client';
import { createLiveSource } from '@memory-read/mcp';
import { serveMcpStdio } from '@memory-read/mcp/node';

serveMcpStdio({ source: createLiveSource(new MemoryClient()) });
