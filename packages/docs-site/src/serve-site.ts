import { context } from 'esbuild';

export interface ServedSite {
  /** URL of the home page. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves a built site on this machine only. Port 0 selects a free port.
 *
 * @throws Error if the port is not available.
 */
export async function serveSite(folder: string, port = 0): Promise<ServedSite> {
  const server = await context({ logLevel: 'silent' });
  try {
    const { port: opened } = await server.serve({ servedir: folder, host: '127.0.0.1', port });
    return { url: `http://127.0.0.1:${opened}/`, close: () => server.dispose() };
  } catch (error) {
    await server.dispose();
    const { message: reason = String(error) } = Object(error);
    throw new Error(`Failed to serve the site: ${reason}. Pass --port 0 for a free port.`, { cause: error });
  }
}
