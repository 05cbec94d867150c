import * as z from 'zod/mini';
import { isDateTime } from '../date-time.ts';
import { type Field, partFields } from '../fields.ts';

const scalarShapes: Record<string, z.ZodMiniType> = {
  string: z.string(),
  'date-time': z.stringFormat('datetime', isDateTime),
  // zod's own `url` would trim the text and drop its tabs and line breaks.
  uri: z.stringFormat('uri', (text) => URL.canParse(text) && !/\s/.test(text)),
  integer: z.int(),
  boolean: z.boolean(),
};

/** Returns the shape of each field of an object. */
export function fieldShapes(rows: Readonly<Record<string, Field>>): Record<string, z.ZodMiniType> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, fieldShape(row)]));
}

function fieldShape({ type, nullable }: Field): z.ZodMiniType {
  return nullable ? z.nullable(typeShape(type)) : typeShape(type);
}

function typeShape(type: string): z.ZodMiniType {
  if (type.endsWith('[]')) return z.array(typeShape(type.slice(0, -'[]'.length)));
  return scalarShapes[type] ?? z.looseObject(fieldShapes(partFields[type as keyof typeof partFields]));
}
