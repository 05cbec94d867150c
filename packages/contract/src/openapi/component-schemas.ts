import * as z from 'zod/mini';
import { errorBodyShape } from '../schemas/error-body.ts';
import { listedMemoryShape, memoryListShape, memoryShape } from '../schemas/memory.ts';
import { segmentShape } from '../schemas/segment.ts';
import { summaryShape } from '../schemas/summary.ts';
import { transcriptShape } from '../schemas/transcript.ts';
import { memoryListDescription, objectDescriptions } from './descriptions.ts';
import type { ReferenceObject, SchemaObject } from './open-api-document.ts';

type ObjectName = keyof typeof objectDescriptions;
type JsonSchema = z.core.JSONSchema.JSONSchema;

const objectShapes: Record<ObjectName, z.ZodMiniType> = {
  Memory: memoryShape,
  ListedMemory: listedMemoryShape,
  Transcript: transcriptShape,
  Segment: segmentShape,
  Summary: summaryShape,
  ErrorBody: errorBodyShape,
};

const COMPONENTS = '#/components/schemas/';

/** The JSON Schema of every object of the API, derived from the shapes that the contract checks with. */
export function componentSchemas(): Record<string, SchemaObject> {
  const generated = generateSchemas();
  const components: Record<string, SchemaObject> = {};
  for (const name of Object.keys(objectShapes) as ObjectName[]) {
    components[name] = describeFields(name, toSchemaObject(generated[name]));
  }
  components.MemoryList = { description: memoryListDescription, ...toSchemaObject(generated.MemoryList) };
  allowNullWhereReferencesDo(components);
  return components;
}

/** Reference to a component schema. */
export function schemaReference(component: string): ReferenceObject {
  return { $ref: COMPONENTS + component };
}

function generateSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(objectShapes)) registry.add(shape, { id });
  registry.add(memoryListShape, { id: 'MemoryList' });
  return z.toJSONSchema(registry, { uri: (id) => COMPONENTS + id, override: nameDateTimes }).schemas;
}

/** zod writes its date-time out as a pattern of 300 characters; the document names the format instead. */
function nameDateTimes({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if ('format' in def && def.format === 'datetime') jsonSchema.format = 'date-time';
}

/**
 * Keeps the keywords that the specification backs, and writes "or null" as an array of types.
 *
 * Dropped are patterns, the bounds of what a double holds, and `additionalProperties`: further fields are allowed
 * unless forbidden, and to say so makes code generators accept every misspelt field.
 */
function toSchemaObject(json: JsonSchema | undefined): SchemaObject {
  const { $ref, type, format, required, properties, items, anyOf } = json ?? {};
  if (anyOf) {
    const schema = toSchemaObject(anyOf[0] as JsonSchema);
    return { ...schema, type: [String(schema.type ?? 'object'), 'null'] };
  }
  return {
    ...($ref && { $ref }),
    ...(type && { type }),
    ...(format && { format }),
    ...(required && { required }),
    ...(properties && { properties: mapValues(properties, (property) => toSchemaObject(property as JsonSchema)) }),
    ...(items && { items: toSchemaObject(items as JsonSchema) }),
  };
}

function describeFields(name: ObjectName, schema: SchemaObject): SchemaObject {
  const { description } = objectDescriptions[name];
  const fields: Record<string, string> = objectDescriptions[name].fields;
  const properties = mapValues(schema.properties ?? {}, (property, field) => ({
    ...property,
    description: fields[field],
  }));
  return { description, ...schema, properties };
}

/** JSON Schema joins a reference with what stands beside it: a nullable field needs a component that allows null too. */
function allowNullWhereReferencesDo(components: Record<string, SchemaObject>): void {
  for (const { properties = {} } of Object.values(components)) {
    for (const { $ref, type } of Object.values(properties)) {
      const component = $ref && components[$ref.slice(COMPONENTS.length)];
      if (component && Array.isArray(type)) component.type = type;
    }
  }
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From, key: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
