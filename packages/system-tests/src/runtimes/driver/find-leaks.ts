import { ProcessingTimeoutError } from '@memory-read/client';

interface Inspecting {
  readonly Bun?: { inspect(value: unknown, options: object): string };
  readonly Deno?: { inspect(value: unknown, options: object): string };
  readonly process?: { getBuiltinModule?(name: string): { inspect?: (value: unknown, options: object) => string } };
}

/** Returns the views of a value, of all that a log or a debugger of this runtime could show, that contain a secret. */
export function findLeaks(value: unknown): string[] {
  return Object.entries(everyViewOf(value))
    .filter(([, text]) => text.includes('SECRET'))
    .map(([view]) => view);
}

function everyViewOf(value: unknown): Record<string, string> {
  const runtime = globalThis as Inspecting;
  const inspect = runtime.process?.getBuiltinModule?.('node:util')?.inspect;
  const hidden = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };
  return {
    String: String(value),
    JSON: JSON.stringify(value) ?? '',
    stack: value instanceof Error ? String(value.stack) : '',
    properties: propertiesOf(value).join('\n'),
    'util.inspect': inspect?.(value, hidden) ?? '',
    'util.inspect of a holder': inspect?.({ value }, { depth: Number.POSITIVE_INFINITY }) ?? '',
    'Bun.inspect': runtime.Bun?.inspect(value, { depth: 50 }) ?? '',
    'Deno.inspect': runtime.Deno?.inspect(value, hidden) ?? '',
  };
}

/** Yields every reachable string: own properties, even if hidden, symbols, and the results of getters of classes. */
function propertiesOf(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return [];
  seen.add(value);
  return keysOf(value).flatMap((key) => [String(key), ...propertiesOf(read(value, key), seen)]);
}

function keysOf(value: object): PropertyKey[] {
  const prototype: object | null = Object.getPrototypeOf(value);
  const isBuiltIn = prototype === null || [Object.prototype, Function.prototype, Array.prototype].includes(prototype);
  return [...Reflect.ownKeys(value), ...(isBuiltIn ? [] : keysOf(prototype))];
}

/**
 * Skips the memory of an error, because the caller requested it, with its signed URLs. Only printing it would be a
 * leak.
 */
function read(value: object, key: PropertyKey): unknown {
  if (value instanceof ProcessingTimeoutError && key === 'memory') return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}
