import type { RunningServer } from '@memory-read/server/node';

const portsTried = 100;

/** Starts a server on the port. Without a port, it uses `first` or the next free one. */
export async function onFreePort<Server>(
  port: number | undefined,
  first: number,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let candidate = port ?? first; ; candidate += 1) {
    try {
      return await start(candidate);
    } catch (error) {
      const isLast = port !== undefined || candidate === first + portsTried;
      if (isLast || !isPortTaken(error, candidate)) throw error;
    }
  }
}

/** Returns the URL of the server on this machine. A server that listens on every address has no address in its URL. */
export function localUrlOf({ url }: RunningServer): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function isPortTaken(error: unknown, port: number): boolean {
  const { code, port: taken } = Object(Object(error).cause);
  return code === 'EADDRINUSE' && taken === port;
}
