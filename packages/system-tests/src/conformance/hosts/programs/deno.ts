import { createInMemoryStore } from '@memory-read/server';
import { hostApi } from '../host-api.ts';

declare const Deno: { serve(options: object, fetch: (request: Request) => Promise<Response>): unknown };

const onListen = ({ port }: { port: number }) => console.log(JSON.stringify({ port }));
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, hostApi(createInMemoryStore()));
