import { errorBodyWords, memoryFieldWords, partFieldWords } from '../field-words.ts';
import { errorBodyFields, type Field, memoryFields, partFields } from '../fields.ts';
import type { ReferenceObject, SchemaObject } from './open-api-document.ts';

/** An object of the API: its own words, its fields, and the words of each. */
interface ComponentObject {
  readonly description: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly words: Readonly<Record<string, string>>;
  /** Schemas of fields that are narrower here than their rows. */
  readonly narrowed?: Readonly<Record<string, SchemaObject>>;
}

const COMPONENTS = '#/components/schemas/';

const memoryWords = Object.fromEntries(
  Object.entries(memoryFieldWords).map(([name, { description }]) => [name, description]),
);

const objects: Record<string, ComponentObject> = {
  Memory: {
    description: 'A recorded moment: its times, its media and, once it is processed, its transcript and summary.',
    fields: memoryFields,
    words: memoryWords,
  },
  ListedMemory: {
    description: 'A memory as the list shows it: every field of the memory, the transcript always null.',
    fields: memoryFields,
    words: { ...memoryWords, transcript: 'Always null in a list. Read the memory itself for its transcript.' },
    narrowed: { transcript: { type: 'null' } },
  },
  Transcript: {
    description: 'What was said in a memory, by whom and when; null where there is none yet.',
    fields: partFields.Transcript,
    words: partFieldWords.Transcript,
  },
  Segment: {
    description: 'One stretch of speech by one speaker.',
    fields: partFields.Segment,
    words: partFieldWords.Segment,
  },
  Summary: {
    description: 'The generated summary of a memory; null where there is none yet.',
    fields: partFields.Summary,
    words: partFieldWords.Summary,
  },
  ErrorBody: { description: 'The body of every error.', fields: errorBodyFields, words: errorBodyWords },
};

/** Returns the JSON Schema of every object of the API, derived from its rows. */
export function componentSchemas(): Record<string, SchemaObject> {
  const components = Object.entries(objects).map(([name, object]) => [name, objectSchema(name, object)]);
  return {
    ...Object.fromEntries(components),
    MemoryList: {
      description: 'All memories of the account, ordered by `started_at`, newest first.',
      type: 'array',
      items: schemaReference('ListedMemory'),
    },
  };
}

/** Reference to a component schema. */
export function schemaReference(component: string): ReferenceObject {
  return { $ref: COMPONENTS + component };
}

/**
 * Every field is required, because the API leaves none out. `additionalProperties` is left out: unknown fields are
 * allowed unless forbidden, and to say so makes code generators accept every misspelt field.
 */
function objectSchema(name: string, { description, fields, words, narrowed }: ComponentObject): SchemaObject {
  const properties = Object.entries(fields).map(([field, row]) => [
    field,
    { ...(narrowed?.[field] ?? fieldSchema(row)), description: words[field] },
  ]);
  return {
    description,
    type: isNullableSomewhere(name) ? ['object', 'null'] : 'object',
    required: Object.keys(fields),
    properties: Object.fromEntries(properties),
  };
}

/** JSON Schema joins a reference with what stands beside it: a nullable field needs a component that allows null too. */
function isNullableSomewhere(component: string): boolean {
  return Object.values<Field>(memoryFields).some(({ type, nullable }) => type === component && nullable);
}

function fieldSchema({ type, nullable }: Field): SchemaObject {
  const schema = typeSchema(type);
  return nullable ? { ...schema, type: [String(schema.type ?? 'object'), 'null'] } : schema;
}

const formats: Record<string, SchemaObject> = {
  'date-time': { type: 'string', format: 'date-time' },
  uri: { type: 'string', format: 'uri' },
};

function typeSchema(type: string): SchemaObject {
  if (type.endsWith('[]')) return { type: 'array', items: typeSchema(type.slice(0, -'[]'.length)) };
  if (type in partFields) return schemaReference(type);
  return formats[type] ?? { type };
}
