/** The reference server over an SQLite file. */
import { apiKeyAuthenticator, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { announce } from '../loopback/listen.ts';
import { mediaSigner } from '../memories/account.ts';
import { store } from './backend.ts';

const { respond } = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
const { port } = await serve({ fetch: respond, port: 0 });
announce(port);
