import { type RunningServer, type ServeOptions, serve } from '@memory-read/server/node';

const defaultPort = 8787;
const portsTried = 100;

/** Listens on the port. Without a port, it uses 8787 or the next free one. */
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

/** Returns the URL of the server on this machine. A server that listens on every address has no address in its URL. */
export function localUrlOf({ url }: RunningServer): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function isPortTaken(error: unknown): boolean {
  return Object(Object(error).cause).code === 'EADDRINUSE';
}
