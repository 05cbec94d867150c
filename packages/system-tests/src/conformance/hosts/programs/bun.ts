import { createInMemoryStore } from '@memory-read/server';
import { hostApi } from '../host-api.ts';

declare const Bun: { serve(options: object): { port: number } };

const { port } = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: hostApi(createInMemoryStore()) });
console.log(JSON.stringify({ port }));
