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

/** Parts of the schemas of several tools. */
export const schemas = {
  text,
  count: { type: 'integer' },
  flag: { type: 'boolean' },
  notice: text,
  cursor: { type: 'string', description: 'The next_cursor of the last result' },
  since: { type: 'string', description: '2026-03, 2026-03-01, tuesday, yesterday or ISO date-time' },
  until: { type: 'string', description: 'As since; a day is included' },
  timeZone: { type: 'string', description: 'IANA zone of the user, for since, until and local' },
  receipt: { type: 'object', description: 'Proof of the quote. Pass it on unchanged.' },
};

/** Returns the schema of an object. */
export function object(properties: Record<string, unknown>, required: readonly string[] = []): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Returns the schema of a value that can be null. Some clients do not accept an array as `type`. */
export function nullable(schema: Record<string, unknown>): Record<string, unknown> {
  return { anyOf: [schema, { type: 'null' }] };
}
