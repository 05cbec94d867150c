import Anthropic from '@anthropic-ai/sdk';
import { MemoryClient } from '@memory-read/client';
import { AssemblyAI } from 'assemblyai';
import ky from 'ky';
import OpenAI from 'openai';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { apiKey, authorization } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';

export const peerNames = ['openai', 'stripe', 'assemblyai', '@anthropic-ai/sdk', 'resend'] as const;

/** Every client on the page, ours and the platform included. */
export type ClientName = 'ours' | 'fetch' | 'ky' | (typeof peerNames)[number];

/**
 * Calls that get one memory, or the list, with the defaults of each client for timeouts and retries. The server answers
 * every path alike: no peer has the paths of this API, so each requests a path of its own kind.
 */
export function clientCalls(
  baseUrl: string,
  operation: 'getMemory' | 'listMemories',
): Record<ClientName, () => Promise<unknown>> {
  const id = memoryIdAt(0);
  const path = operation === 'getMemory' ? `/v1/memories/${id}` : '/v1/memories';
  const { hostname, port, href: url } = new URL(path, baseUrl);
  const headers = { accept: 'application/json', authorization };
  const client = new MemoryClient({ baseUrl, apiKey });
  const openai = new OpenAI({ baseURL: baseUrl, apiKey });
  const anthropic = new Anthropic({ baseURL: baseUrl, apiKey });
  const assemblyai = new AssemblyAI({ baseUrl, apiKey });
  const resend = new Resend(apiKey, { baseUrl });
  const stripe = new Stripe(apiKey, { host: hostname, port, protocol: 'http', telemetry: false });
  return {
    ours: () => (operation === 'getMemory' ? client.getMemory(id) : client.listMemories()),
    fetch: async () => JSON.parse(await (await fetch(url, { headers })).text()),
    ky: async () => ky(url, { headers, retry: 2, timeout: 30_000, totalTimeout: 120_000, redirect: 'manual' }).json(),
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
