/** Returns whether a request has the token. Comparing hashes prevents timing attacks. */
export async function isAllowed(request: Request, token: string | undefined): Promise<boolean> {
  if (!token) return false;
  const shown = await hash(request.headers.get('authorization') ?? '');
  return shown === (await hash(`Bearer ${token}`));
}

async function hash(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).join();
}
