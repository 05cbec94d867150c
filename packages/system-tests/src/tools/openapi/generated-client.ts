import type { ErrorBody, ListedMemory, Memory } from '@memory-read/contract';
import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths } from '../../docs/examples/memory-read-api.d.ts';

type Schemas = components['schemas'];

// Assigned both ways, the generated types and our own are the same: each field, each null, nothing optional.
export const toOurs = {
  memory: (generated: Schemas['Memory']): Memory => generated,
  listed: (generated: Schemas['ListedMemory']): ListedMemory => generated,
  error: (generated: Schemas['ErrorBody']): ErrorBody => generated,
};
export const toGenerated = {
  memory: (ours: Memory): Schemas['Memory'] => ours,
  listed: (ours: ListedMemory): Schemas['ListedMemory'] => ours,
  error: (ours: ErrorBody): Schemas['ErrorBody'] => ours,
};

type Answers = operations['getMemory']['responses'];

// Every status that the document knows, and no other.
const outcomes = {
  200: 'read',
  401: 'refused',
  404: 'not found',
  422: 'malformed',
  500: 'failed',
} satisfies Record<keyof Answers, string>;

/** How an attempt to read a memory with the generated client ended. */
export interface Outcome {
  outcome: (typeof outcomes)[keyof typeof outcomes];
  memory?: Memory | undefined;
  detail?: string | undefined;
}

/** A client of others that knows the API from nothing but the OpenAPI document. */
export function createGeneratedClient(baseUrl: string, apiKey: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
}

/**
 * The list, without a cast. The transcripts are there, but openapi-fetch 0.17 hides them: its type for what is read
 * leaves out each property whose only value is null.
 */
export async function listWithGenerated(client: Client<paths>): Promise<Omit<ListedMemory, 'transcript'>[]> {
  const { data, error } = await client.GET('/v1/memories');
  if (error) throw new Error(error.detail);
  return data;
}

/** One memory, or what the error says, without a cast but for the status, which `fetch` types as any number. */
export async function getWithGenerated(client: Client<paths>, memoryId: string): Promise<Outcome> {
  const params = { path: { memory_id: memoryId } };
  const { data, error, response } = await client.GET('/v1/memories/{memory_id}', { params });
  const outcome = outcomes[response.status as keyof Answers];
  return error ? { outcome, detail: error.detail } : { outcome, memory: data };
}
