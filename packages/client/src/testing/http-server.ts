interface HttpServer {
  listen(port: number, host: string, onListening: () => void): unknown;
  address(): unknown;
  close(onClosed: () => void): unknown;
  closeAllConnections(): void;
}

/** Opens a real server on the loopback interface, for tests of the wire. */
export async function openServer(server: HttpServer) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}
