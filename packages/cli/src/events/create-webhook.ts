import { createWebhookSender, isMirrorError, type SendEvent } from '@memory-read/mirror';
import { readKey } from '../options/read-key.ts';
import { usageError } from '../terminal/command-error.ts';
import type { WatchOptions } from './watch-options.ts';

const variable = 'MEMORY_READ_WEBHOOK_SECRET';

/**
 * Returns the sender of `--webhook`, whose URL and secrets are read now.
 *
 * @throws CommandError if one of them cannot be used.
 */
export async function createWebhook(
  { process, secret, timeout, allowInsecureHttp }: WatchOptions,
  webhook: string,
): Promise<SendEvent> {
  const isSource = /^(env|file):/.test(webhook);
  const url = isSource ? await readKey(process, '--webhook', webhook) : webhook;
  const sources = secret ?? (process.env[variable] ? [`env:${variable}`] : []);
  if (sources.length === 0) {
    throw usageError(
      `--webhook: no secret is set. Set ${variable} to "whsec_$(openssl rand -base64 32)", or pass --secret env:NAME or file:PATH.`,
    );
  }
  const secrets = [];
  for (const source of sources) secrets.push(await readKey(process, '--secret', source));
  try {
    return createWebhookSender({ url, secret: secrets, timeout, allowInsecureHttp });
  } catch (error) {
    throw isMirrorError(error) ? usageError(inTermsOfOptions(error.message)) : error;
  }
}

/** The library names its options. */
function inTermsOfOptions(message: string): string {
  const problem = message.replace(/^[^:]+: /, '').replace('set allowInsecureHttp', 'pass --allow-insecure-http');
  if (problem.startsWith('secret ')) return `--secret: it ${problem.slice('secret '.length)}`;
  return `--webhook: ${problem.replace(/^url /, 'it ')}`;
}
