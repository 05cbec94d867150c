import type * as z from 'zod/mini';
import { errorBodyShape } from '../schemas/error-body.ts';
import { listedMemoryShape, memoryListShape, memoryShape } from '../schemas/memory.ts';
import { segmentShape } from '../schemas/segment.ts';
import { summaryShape } from '../schemas/summary.ts';
import { transcriptShape } from '../schemas/transcript.ts';
import { memoryListDescription, objectDescriptions } from './descriptions.ts';
import type { ReferenceObject, SchemaObject } from './open-api-document.ts';
import { toSchemaObject } from './to-schema-object.ts';

type ObjectName = keyof typeof objectDescriptions;

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
  const names = Object.keys(objectShapes) as ObjectName[];
  const references = new Map(names.map((name) => [objectShapes[name], schemaReference(name)]));

  const components: Record<string, SchemaObject> = {};
  for (const name of names) components[name] = describeFields(name, toSchemaObject(objectShapes[name], references));
  components.MemoryList = { description: memoryListDescription, ...toSchemaObject(memoryListShape, references) };
  allowNullWhereReferencesDo(components);
  return components;
}

/** Reference to a component schema. */
export function schemaReference(component: string): ReferenceObject {
  return { $ref: COMPONENTS + component };
}

function describeFields(name: ObjectName, schema: SchemaObject): SchemaObject {
  const { description } = objectDescriptions[name];
  const fields: Record<string, string> = objectDescriptions[name].fields;
  const described = Object.entries(schema.properties ?? {}).map(([field, property]) => [
    field,
    { ...property, description: fields[field] },
  ]);
  return { description, ...schema, properties: Object.fromEntries(described) };
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
