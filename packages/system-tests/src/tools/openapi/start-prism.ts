import { type RunningProcess, startProcess } from '@memory-read/test-kit/start-process';
import { openApiPath, quietEnvironment, toolPath } from './run-tool.ts';

/** The line that Prism prints when it serves, with its address. */
export const prismIsReady = /Prism is listening on (\S+)/;

/** Prism between a client and a server, which compares both with the OpenAPI document. */
export interface PrismProxy extends RunningProcess {
  url: string;
}

/**
 * Starts Prism in front of a server. With `refuses`, Prism replaces a response that violates the document by an error.
 */
export async function startPrism(upstream: string, { refuses }: { refuses: boolean }): Promise<PrismProxy> {
  const words = ['proxy', '--port', '0', ...(refuses ? ['--errors'] : []), openApiPath, upstream];
  const command = [process.execPath, toolPath('@stoplight/prism-cli'), ...words];
  const prism = await startProcess(command, prismIsReady, { env: { ...process.env, ...quietEnvironment } });
  return { ...prism, url: String(prism.ready[1]) };
}

/** Returns the violations that Prism reports for a request and its response. It passes both on. */
export function violationsIn(headers: Headers): string[] {
  const violations = JSON.parse(headers.get('sl-violations') ?? '[]') as { location: string[]; message: string }[];
  return violations.map(({ location, message }) => `${location.join('.')}: ${message}`);
}
