/** Bytes that are left of heap and buffers when all garbage is gone. Needs `--expose-gc`. */
export async function heldMemory(): Promise<number> {
  if (globalThis.gc === undefined)
    throw new Error('Failed to collect garbage: Node runs without --expose-gc. Add the flag.');
  // One collection can make other objects collectable, and buffers are freed a little later.
  for (let collection = 0; collection < 3; collection += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
