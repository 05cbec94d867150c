import { isMemoryApiError } from '@memory-read/client';
import type { MemoryMcpOptions } from '../create-memory-mcp-server.ts';
import { openSource } from './open-source.ts';
import { type ProgramOptions, readOptions } from './read-options.ts';
import { serveMcpHttp } from './serve-mcp-http.ts';
import { serveMcpStdio } from './serve-mcp-stdio.ts';
import { UsageError } from './usage-error.ts';

/** Runs the program until its input ends or it is stopped. A problem of the options ends it with status 2. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    const options = readOptions(args, process.env);
    const settings = { source: await openSource(options), memoryUrl: toMemoryUrl(options.memoryUrl) };
    await (options.http ? runHttp(settings, options) : runStdio(settings));
  } catch (error) {
    const isUsage = error instanceof UsageError || (isMemoryApiError(error) && error.code === 'configuration');
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

function runStdio(settings: MemoryMcpOptions): void {
  const { close } = serveMcpStdio(settings);
  // Open connections of the client would keep the process alive.
  const end = () => void close().finally(() => process.exit(0));
  process.stdin.once('end', end).once('close', end);
  process.once('SIGTERM', end).once('SIGINT', end);
}

async function runHttp(settings: MemoryMcpOptions, options: ProgramOptions): Promise<void> {
  const { port, host: hostname, token, allowedHosts, allowedOrigins } = options;
  const server = await serveMcpHttp({ ...settings, port, hostname, token, allowedHosts, allowedOrigins });
  process.stdout.write(`${JSON.stringify({ event: 'ready', url: server.url })}\n`);
  const end = () => void server.close().finally(() => process.exit(0));
  process.once('SIGTERM', end).once('SIGINT', end);
}

function toMemoryUrl(template: string | undefined): ((memoryId: string) => string) | undefined {
  return template === undefined
    ? undefined
    : (memoryId) => template.replaceAll('{id}', () => encodeURIComponent(memoryId));
}
