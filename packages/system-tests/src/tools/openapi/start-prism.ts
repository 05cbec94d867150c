import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { quietEnvironment, toolPath } from './run-tool.ts';

/** Prism between a client and a server, holding both against the OpenAPI document. */
export interface PrismProxy {
  url: string;
  close(): Promise<void>;
}

const document = fileURLToPath(import.meta.resolve('@memory-read/contract/openapi.json'));

/** Starts Prism in front of a server; with `refuses`, what breaks the document is answered with an error by Prism itself. */
export async function startPrism(upstream: string, { refuses }: { refuses: boolean }): Promise<PrismProxy> {
  const words = ['proxy', '--port', '0', ...(refuses ? ['--errors'] : []), document, upstream];
  const child = spawn(process.execPath, [toolPath('@stoplight/prism-cli'), ...words], {
    env: { ...process.env, ...quietEnvironment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await prismUrl(child), close: () => endPrism(child) };
}

type PrismProcess = ChildProcessByStdio<null, Readable, null>;

/** Where it listens, once it does. */
export function prismUrl(child: PrismProcess): Promise<string> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    // Reading goes on after the address: it would stand still with a full pipe.
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const [, address] = /Prism is listening on (\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Failed to start Prism: because it ended with:\n${lines.join('\n')}`)));
  });
}

/** Asks it to end, and waits until it has. */
export async function endPrism(child: PrismProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** What Prism has against a request and its answer, which it lets pass. */
export function violationsIn(headers: Headers): string[] {
  const violations = JSON.parse(headers.get('sl-violations') ?? '[]') as { location: string[]; message: string }[];
  return violations.map(({ location, message }) => `${location.join('.')}: ${message}`);
}
