import { type RunningServer, type ServeOptions, serve } from '@memory-read/server/node';

const defaultPort = 8787;
const portsTried = 100;

/** Listens on the port, or without one on 8787 or the next one that is free. */
export async function listen({
  port,
  ...options
}: Omit<ServeOptions, 'port'> & { port?: number | undefined }): Promise<RunningServer> {
  for (let candidate = port ?? defaultPort; ; candidate += 1) {
    try {
      return await serve({ ...options, port: candidate });
    } catch (error) {
      const isLast = port !== undefined || candidate === defaultPort + portsTried;
      if (isLast || !isPortTaken(error)) throw error;
    }
  }
}

/** Where this machine reaches the server; one that listens on every address has none of its own in its URL. */
export function localUrlOf({ url }: RunningServer): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
