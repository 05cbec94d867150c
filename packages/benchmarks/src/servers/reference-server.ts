/** The reference server over an SQLite file. With `fetch` as second argument, its responses are `Response` objects. */
import { apiKeyAuthenticator, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { announce } from '../loopback/listen.ts';
import { store } from './backend.ts';
import { mediaSigner } from './media-signer.ts';

const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
const { port } = await serve({ fetch: process.argv[3] === 'fetch' ? api.fetch : api.respond, port: 0 });
announce(port);
