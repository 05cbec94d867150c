import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@memory-read/test-kit/listen';
import { onTestFinished } from 'vitest';

/** A post that a webhook received. */
interface Post {
  id: string;
  type: string;
  memoryId: string;
  /** Numbers of the keys whose signature it has. */
  signedBy: number[];
}

const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
export const secrets = keys.map((key) => `whsec_${key.toString('base64')}`);

/** Opens a webhook on a port of this machine until the test ends. Its path and query are secrets. */
export async function openWebhook() {
  const webhook = {
    posts: [] as Post[],
    /** Answers a post. */
    answer: (response: ServerResponse, _post: Post): void => void response.writeHead(204).end(),
    url: '',
    secret: 'hook-path?token=hook-query',
    env: { MEMORY_READ_WEBHOOK_SECRET: secrets[0] ?? '' },
  };
  const server = await listen(async (request, response) => {
    const body = await buffer(request);
    const { id, type, data } = JSON.parse(String(body));
    const post = { id, type, memoryId: data.memory_id, signedBy: signersOf(request.headers, body) };
    webhook.posts.push(post);
    webhook.answer(response, post);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  webhook.url = `${server.url}/${webhook.secret}`;
  return webhook;
}

/** Returns the numbers of the keys that signed a body, as Standard Webhooks says. */
function signersOf(headers: IncomingHttpHeaders, body: Buffer): number[] {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const given = String(headers['webhook-signature']).split(' ');
  return [...keys.keys()].filter((number) => {
    const signature = createHmac('sha256', keys[number] ?? '')
      .update(signed)
      .digest('base64');
    return given.includes(`v1,${signature}`);
  });
}
