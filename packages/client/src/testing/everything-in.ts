import { inspect } from 'node:util';

/** Returns every text that a log could make of a value. */
export function everythingIn(value: unknown): string {
  const shown = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  const error =
    value instanceof Error
      ? [value.message, value.stack, everythingIn(value.cause), everythingIn(Object(value).toJSON?.())]
      : [];
  return [shown, JSON.stringify(value), String(value), ...error].join('\n');
}
