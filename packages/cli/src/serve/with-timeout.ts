/** Rejects if the promise has not settled after the given number of milliseconds. */
export async function withTimeout<Value>(value: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const reason = `no answer within ${milliseconds / 1000} seconds`;
    const error = new Error(`Failed to check the store: ${reason}. Check the database.`);
    timer = setTimeout(reject, milliseconds, error);
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
