// #region tracing
import { MemoryClient } from '@memory-read/client';
import { trace } from '@opentelemetry/api';
import { createTracingHooks } from './tracing-hooks.ts';

const client = new MemoryClient({
  baseUrl: 'https://api.example.com',
  apiKey: process.env.MEMORY_API_KEY,
  hooks: createTracingHooks(trace.getTracer('my-app')),
});
// #endregion
console.log((await client.listMemories()).length);
