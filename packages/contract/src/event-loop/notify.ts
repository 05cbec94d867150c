/** Calls a listener, if there is one. Ignores its errors and rejections: neither the caller nor the process is affected. */
export function notify<Values extends readonly unknown[]>(
  listener: ((...values: Values) => unknown) | undefined,
  ...values: Values
): void {
  void (async () => {
    try {
      await listener?.(...values);
    } catch {}
  })();
}
