import createClient from 'openapi-fetch';
import type { paths } from './memory-read-api.d.ts';

const client = createClient<paths>({
  baseUrl: 'https://api.example.com',
  headers: { authorization: `Bearer ${process.env.MEMORY_API_KEY}` },
});

const { data: memories, response } = await client.GET('/v1/memories');
if (!memories) throw new Error(`Failed to list memories: the server answered ${response.status}.`);
for (const { id, name } of memories) console.log(id, name);

const path = { memory_id: memories[0]?.id ?? 'mem_none' };
const { data: memory, error } = await client.GET('/v1/memories/{memory_id}', { params: { path } });
if (!memory) throw new Error(`Failed to get a memory: ${error?.detail}`);
console.log(memory.transcript?.segments.length ?? 'no transcript yet');
