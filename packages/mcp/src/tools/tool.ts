import type { Receipt } from '../receipt/receipt.ts';
import type { MemorySource } from '../sources/memory-source.ts';
import type { Input } from './read-input.ts';

/** Context of the tools. */
export interface ToolContext {
  source: MemorySource;
  memoryUrl: (memoryId: string) => string;
  createNonce: () => string;
  timeZone: string;
  clock: { now(): Date };
}

/** JSON Schema of an object. */
export type ObjectSchema = { type: 'object'; properties: Record<string, unknown>; required?: readonly string[] };

/** A tool: its public definition and its function. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: ObjectSchema;
  output: ObjectSchema;
  run(context: ToolContext, input: Input, signal: AbortSignal): Promise<Record<string, unknown>>;
}

const text = { type: 'string' };
const count = { type: 'integer' };
const range = { type: 'array', items: count };

/**
 * Parts of the schemas of several tools. Strict clients refuse all tools if one value has no type, one object no
 * properties, or if there are keywords such as `default` and `maxLength`.
 */
export const schemas = {
  text,
  count,
  flag: { type: 'boolean' },
  notice: text,
  cursor: { type: 'string', description: 'next_cursor of the last result' },
  since: { type: 'string', description: '2026-03, 2026-03-01, tuesday, yesterday or ISO date-time' },
  until: { type: 'string', description: 'As since; a day is included' },
  timeZone: { type: 'string', description: 'IANA zone of the user, for all times' },
};

/** Fields of a receipt that a tool takes. */
const receiptFields: Record<keyof Receipt, unknown> = {
  memory_id: text,
  transcript_digest: text,
  segments: range,
  chars: range,
  speaker: text,
  start_ms: { type: 'number' },
  end_ms: { type: 'number' },
  quote: text,
  read_at: text,
};

/** Schemas of a receipt. That of results names only what a model reads, because definitions have to be small. */
export const receiptSchemas = {
  input: object(receiptFields, Object.keys(receiptFields)),
  output: object({ speaker: text, quote: text }),
};

/** Returns the schema of an object. */
export function object(properties: Record<string, unknown>, required: readonly string[] = []): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Returns the schema of a value that can be null. Some clients do not accept an array as `type`. */
export function nullable(schema: Record<string, unknown>): Record<string, unknown> {
  return { anyOf: [schema, { type: 'null' }] };
}
