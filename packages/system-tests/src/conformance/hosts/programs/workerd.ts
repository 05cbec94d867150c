import { createInMemoryStore } from '@memory-read/server';
import { hostApi } from '../host-api.ts';

export default { fetch: hostApi(createInMemoryStore()) };
