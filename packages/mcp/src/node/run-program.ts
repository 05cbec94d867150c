import { isMemoryApiError } from '@memory-read/client';
import manifest from '../../package.json' with { type: 'json' };
import type { MemoryMcpOptions } from '../create-memory-mcp-server.ts';
import { help } from './help.ts';
import type { McpProcess } from './mcp-process.ts';
import { openSource } from './open-source.ts';
import { type ProgramOptions, readOptions } from './read-options.ts';
import { type RunningMcpServer, serveMcpHttp } from './serve-mcp-http.ts';
import { serveStreams } from './serve-mcp-stdio.ts';

/** Runs the program until its input ends or it is stopped. Invalid options end it with status 2. */
export async function runProgram(process: McpProcess): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(help);
  if (args.includes('--version')) return void process.stdout.write(`${manifest.version}\n`);
  try {
    const options = readOptions(args, process.env);
    const { source, close } = await openSource(options);
    const { timeZone } = options;
    const settings = { source, memoryUrl: toMemoryUrl(options.memoryUrl), timeZone };
    const server = options.http ? await startHttp(settings, options, process) : serveStreams(settings, process);
    // Without this, open connections of the client would keep the process running.
    const end = () =>
      void server
        .close()
        .then(close)
        .finally(() => process.exit());
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
    if (!options.http) process.stdin.once('end', end).once('close', end);
  } catch (error) {
    const { name, message = String(error) } = Object(error);
    const isUsage = name === 'UsageError' || (isMemoryApiError(error) && error.code === 'configuration');
    process.stderr.write(`${message}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

async function startHttp(
  settings: MemoryMcpOptions,
  options: ProgramOptions,
  { stdout }: McpProcess,
): Promise<RunningMcpServer> {
  const { port, host: hostname, token, allowedHosts, allowedOrigins } = options;
  const server = await serveMcpHttp({ ...settings, port, hostname, token, allowedHosts, allowedOrigins });
  stdout.write(`${JSON.stringify({ event: 'ready', url: server.url })}\n`);
  return server;
}

function toMemoryUrl(template: string | undefined): ((memoryId: string) => string) | undefined {
  return template === undefined
    ? undefined
    : (memoryId) => template.replaceAll('{id}', () => encodeURIComponent(memoryId));
}
