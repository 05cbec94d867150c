import Anthropic from '@anthropic-ai/sdk';
import { MemoryClient } from '@memory-read/client';
import { AssemblyAI } from 'assemblyai';
import ky from 'ky';
import OpenAI from 'openai';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { apiKey, authorization } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';

/** One call of each client, with its defaults for timeouts and retries; the server answers every path alike. */
export type ClientCalls = Record<ClientName, () => Promise<unknown>>;

export type ClientName = 'ours' | 'fetch' | 'ky' | PeerName;
export type PeerName = 'openai' | 'stripe' | 'assemblyai' | '@anthropic-ai/sdk' | 'resend';

export const peerNames = ['openai', 'stripe', 'assemblyai', '@anthropic-ai/sdk', 'resend'] as const;

/** Calls that get one memory, or the list. */
export function clientCalls(baseUrl: string, operation: 'getMemory' | 'listMemories'): ClientCalls {
  const id = memoryIdAt(0);
  const path = operation === 'getMemory' ? `/v1/memories/${id}` : '/v1/memories';
  const client = new MemoryClient({ baseUrl, apiKey });
  return {
    ours: () => (operation === 'getMemory' ? client.getMemory(id) : client.listMemories()),
    ...plainCalls(baseUrl + path),
    ...peerCalls(baseUrl, path),
  };
}

/** What the client is held against: the platform alone, and the package that it is built on. */
function plainCalls(url: string): Pick<ClientCalls, 'fetch' | 'ky'> {
  const headers = { accept: 'application/json', authorization };
  return {
    fetch: async () => JSON.parse(await (await fetch(url, { headers })).text()),
    ky: async () => ky(url, { headers, retry: 2, timeout: 30_000, totalTimeout: 120_000, redirect: 'manual' }).json(),
  };
}

/** Returns the calls of the peers. None of them has the paths of this API, so each requests a path of its own kind. */
function peerCalls(baseUrl: string, path: string): Pick<ClientCalls, PeerName> {
  const { hostname, port } = new URL(baseUrl);
  const openai = new OpenAI({ baseURL: baseUrl, apiKey });
  const anthropic = new Anthropic({ baseURL: baseUrl, apiKey });
  const assemblyai = new AssemblyAI({ baseUrl, apiKey });
  const resend = new Resend(apiKey, { baseUrl });
  const stripe = new Stripe(apiKey, { host: hostname, port, protocol: 'http', telemetry: false });
  return {
    openai: () => openai.get(path),
    '@anthropic-ai/sdk': () => anthropic.get(path),
    assemblyai: () => assemblyai.transcripts.get('transcript'),
    stripe: () => stripe.rawRequest('GET', path),
    resend: async () => {
      const { data, error } = await resend.get(path);
      if (error) throw new Error(`Failed to call through resend: ${error.message}. Check the server.`);
      return data;
    },
  };
}
