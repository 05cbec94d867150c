/** Calls a function for each event of its name, until the signal aborts. A target without events has none. */
export function listen(
  target: Partial<EventTarget> | undefined,
  reactions: Record<string, () => void>,
  signal: AbortSignal,
): void {
  for (const [name, react] of Object.entries(reactions)) target?.addEventListener?.(name, react, { signal });
}
