import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { toSchemaObject } from './to-schema-object.ts';

const none = new Map();

test.each([
  [z.string(), { type: 'string' }],
  [z.int(), { type: 'integer' }],
  [z.boolean(), { type: 'boolean' }],
  [z.null(), { type: 'null' }],
  [z.iso.datetime({ local: true }), { type: 'string', format: 'date-time' }],
  [z.array(z.string()), { type: 'array', items: { type: 'string' } }],
  [z.nullable(z.string()), { type: ['string', 'null'] }],
])('shape %# becomes its JSON Schema', (shape, schema) => {
  expect(toSchemaObject(shape, none)).toEqual(schema);
});

test('every field of an object is required, and unknown ones are not forbidden', () => {
  expect(toSchemaObject(z.looseObject({ a: z.string() }), none)).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' } },
  });
});

test('a shape with a reference is referred to wherever it is inside another', () => {
  const inner = z.looseObject({});
  const references = new Map([[inner, { $ref: '#/inner' }]]);
  expect(toSchemaObject(z.array(inner), references).items).toEqual({ $ref: '#/inner' });
  expect(toSchemaObject(z.nullable(inner), references)).toEqual({ $ref: '#/inner', type: ['object', 'null'] });
  expect(toSchemaObject(inner, references)).toMatchObject({ type: 'object' });
});

test('a shape that it cannot write down is an error, not a gap', () => {
  expect(() => toSchemaObject(z.optional(z.string()), none)).toThrow('"optional" is not known here');
  expect(() => toSchemaObject(z.email(), none)).toThrow('"email" is not known here');
  expect(() => toSchemaObject(z.number(), none)).toThrow('"number" is not known here');
});
