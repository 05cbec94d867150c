import type * as z from 'zod/mini';
import type { ReferenceObject, SchemaObject } from './open-api-document.ts';

type Shape = z.core.$ZodType;
type References = ReadonlyMap<Shape, ReferenceObject>;

/**
 * The JSON Schema of a shape; inner shapes that have a reference are referred to, "or null" is an array of types.
 *
 * zod's own generator would write date-times out as a pattern of 300 characters, and weighs as much as all else that
 * is bundled of it. `additionalProperties` is left out: unknown fields are allowed unless forbidden, and to say so
 * makes code generators accept every misspelt field.
 */
export function toSchemaObject(shape: Shape, references: References): SchemaObject {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectSchema(def.shape, references);
    case 'array':
      return { type: 'array', items: innerSchema(def.element, references) };
    case 'nullable': {
      const inner = innerSchema(def.innerType, references);
      return { ...inner, type: [String(inner.type ?? 'object'), 'null'] };
    }
    case 'string':
    case 'number':
      return scalarSchema('format' in def ? String(def.format) : def.type);
    default:
      return scalarSchema(def.type);
  }
}

function innerSchema(shape: Shape, references: References): SchemaObject {
  return references.get(shape) ?? toSchemaObject(shape, references);
}

/** Every field is required: the API leaves none out. */
function objectSchema(fields: Readonly<Record<string, Shape>>, references: References): SchemaObject {
  const properties = Object.entries(fields).map(([name, shape]) => [name, innerSchema(shape, references)]);
  return { type: 'object', required: Object.keys(fields), properties: Object.fromEntries(properties) };
}

const scalars: Record<string, SchemaObject> = {
  string: { type: 'string' },
  datetime: { type: 'string', format: 'date-time' },
  uri: { type: 'string', format: 'uri' },
  safeint: { type: 'integer' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
};

function scalarSchema(kind: string): SchemaObject {
  const schema = scalars[kind];
  if (!schema) throw new TypeError(`Failed to describe a shape: because "${kind}" is not known here. Add it.`);
  return { ...schema };
}
