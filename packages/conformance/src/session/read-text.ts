import { TooMuchError } from './unanswered.ts';

/**
 * Returns the body as text, or the reason why it cannot be read.
 *
 * @throws TooMuchError when the body is longer than `maxBytes`.
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  // Not fatal: a check inspects the body as it is, and U+FFFD makes invalid JSON visible.
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      // Not awaited: some runtimes never settle it.
      reader.cancel().catch(() => {});
      throw new TooMuchError(`its body is longer than ${maxBytes / 1024 / 1024} MiB`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
