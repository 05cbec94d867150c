import { mediaKinds, memoryFields } from '@memory-read/contract/fields';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { operations } from '@memory-read/contract/operations';
import { faultShapes } from '../../faults/assert-fault.ts';
import type { JsonSchema } from './control-route.ts';

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const count = { type: 'integer', minimum: 0 };
const nullableCount = { type: ['integer', 'null'], minimum: 0 };
const dateTime = { type: 'string', format: 'date-time' };
const kind = { type: 'string', enum: mediaKinds };
const operation = { type: 'string', enum: [...Object.keys(operations), 'media'] };

/** Fields of the match of a fault. A function is not among them. */
export const faultMatch = {
  operation: { type: 'string', enum: [...operation.enum, 'connection'] },
  kind,
  media: kind,
  memoryId: text,
};

/** Returns the components of the document. Those of a memory are the schemas of the API. */
export function controlSchemas(): Record<string, JsonSchema> {
  const { Memory, Transcript, Segment, Summary, ErrorBody } = buildOpenApiDocument({ serverUrl: '/' }).components
    .schemas as Record<string, JsonSchema>;
  const described = Object.entries(Memory?.properties as Record<string, JsonSchema>);
  const stored = described.filter(([name]) =>
    /record|processing/.test(memoryFields[name as keyof typeof memoryFields].from),
  );
  const reference = objectOf({ object_key: text, content_type: text });
  const media = { type: 'object', properties: Object.fromEntries(mediaKinds.map((name) => [name, reference])) };
  const record = objectOf({ ...Object.fromEntries(stored), media });
  return {
    MemoryRecord: { description: 'A memory as it is stored.', ...record },
    MemoryChanges: {
      description: 'Fields of a record. Missing fields are generated or kept.',
      ...record,
      required: [],
    },
    Transcript,
    Segment,
    Summary,
    ErrorBody,
    Space: objectOf({
      id: text,
      baseUrl: { ...text, format: 'uri' },
      mediaUrl: { ...text, format: 'uri' },
      elsewhereUrl: { ...text, format: 'uri' },
      apiKey: text,
      now: dateTime,
    }),
    Fault: {
      description:
        'A fault of the API, of media or of the wire, such as {"status": 503}, "stall" or {"stop": "in-head", "by": "reset"}.',
      oneOf: [{ type: 'string', enum: faultShapes.names }, ...faultShapes.objects.map(faultObject)],
    },
    FaultMatch: {
      type: 'object',
      properties: faultMatch,
      additionalProperties: false,
    },
    FaultState: objectOf({
      id: text,
      fault: schemaReference('Fault'),
      match: schemaReference('FaultMatch'),
      left: nullableCount,
      played: count,
    }),
    WireRequest: wireRequest,
  } as Record<string, JsonSchema>;
}

const wireRequest = objectOf({
  seq: count,
  at: dateTime,
  elapsed: { type: 'number' },
  to: { type: 'string', enum: ['api', 'media', 'elsewhere'] },
  operation: { type: ['string', 'null'], enum: [...operation.enum, null] },
  memoryId: nullableText,
  kind: { type: ['string', 'null'], enum: [...kind.enum, null] },
  method: text,
  path: text,
  hasQuery: { type: 'boolean' },
  headers: { type: 'object', additionalProperties: text },
  bodyBytes: count,
  connection: count,
  auth: text,
  keyIn: listOf(text),
  fault: { oneOf: [schemaReference('Fault'), { type: 'null' }] },
  status: nullableCount,
  bytes: count,
  ended: { type: ['string', 'null'], enum: ['sent', 'fault', 'aborted', null] },
  endedAfter: { type: ['number', 'null'] },
});

/** The control checks the values of the fields. */
function faultObject(fields: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required: fields.filter((field, index) => index === 0 || field === 'by'),
    properties: Object.fromEntries(fields.map((field) => [field, {}])),
    additionalProperties: false,
  };
}

/** Reference to a component schema. */
export function schemaReference(component: string): JsonSchema {
  return { $ref: `#/components/schemas/${component}` };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** Every property is required. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
