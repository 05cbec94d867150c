import { expect, test } from 'vitest';
import committed from '../../openapi.json' with { type: 'json' };
import { operations } from '../operations/operations.ts';
import { problems } from '../problems/problems.ts';
import type { Schema } from '../schemas/schema.ts';
import { errorBodySchema, memoryListSchema, memorySchema } from '../schemas/schemas.ts';
import { buildOpenApiDocument } from './build-open-api-document.ts';
import type { ResponseObject } from './open-api-document.ts';

const document = buildOpenApiDocument({ serverUrl: 'http://127.0.0.1:8787' });
const schemas = document.components.schemas;

const schemasOfBodies = { Memory: memorySchema, MemoryList: memoryListSchema };

const responses = Object.values(operations).flatMap((operation) => {
  const responses: Record<string, ResponseObject> = document.paths[operation.path]?.get.responses ?? {};
  return Object.entries(responses).map(([status, response]) => ({ operation, status: Number(status), response }));
});

test('the document is OpenAPI 3.1 and carries the version of section 9', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Memory Read API', version: '0.1.0' } });
});

test('it names every path and every documented status, and no more', () => {
  expect(responses.map(({ operation, status }) => `${operation.method} ${operation.path} ${status}`)).toEqual([
    'GET /v1/memories 200',
    'GET /v1/memories 401',
    'GET /v1/memories 500',
    'GET /v1/memories/{memory_id} 200',
    'GET /v1/memories/{memory_id} 401',
    'GET /v1/memories/{memory_id} 404',
    'GET /v1/memories/{memory_id} 422',
    'GET /v1/memories/{memory_id} 500',
  ]);
  expect(Object.keys(document.paths)).toHaveLength(Object.keys(operations).length);
});

test('either way to send a key is enough', () => {
  const schemes = Object.entries(document.components.securitySchemes);
  expect(document.security).toEqual(schemes.map(([name]) => ({ [name]: [] })));
  expect(schemes.map(([, scheme]) => scheme)).toMatchObject([
    { type: 'http', scheme: 'bearer' },
    { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  ]);
});

test.each(responses)(
  '$operation.id $status: every example passes the schema of the contract',
  ({ operation, status, response }) => {
    const schema: Schema<unknown> = status === 200 ? schemasOfBodies[operation.response.component] : errorBodySchema;
    const values = examplesOf(response);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(schema['~standard'].validate(value)).toEqual({ value });
  },
);

test.each(responses.filter(({ status }) => status !== 200))(
  '$operation.id $status: its examples are its problems',
  ({ operation, status, response }) => {
    const expected = operation.problems.map((name) => problems[name]).filter((problem) => problem.status === status);
    expect(examplesOf(response)).toEqual(expected.map(({ detail }) => ({ detail })));
  },
);

test.each(responses)('$operation.id $status: it says which headers are sent', ({ status, response }) => {
  const challenge = status === 401 ? ['WWW-Authenticate'] : [];
  expect(Object.keys(response.headers)).toEqual(['X-Request-Id', 'Cache-Control', ...challenge]);
});

test('every component and every field has a description', () => {
  for (const [component, { description, properties = {} }] of Object.entries(schemas)) {
    expect(description, component).toMatch(/\w+.*\.$/);
    for (const [field, schema] of Object.entries(properties)) expect(schema.description, field).toMatch(/\w+.*\.$/);
  }
});

test('the components are the objects of section 2, every field of them required', () => {
  expect(Object.keys(schemas)).toEqual([
    'Memory',
    'ListedMemory',
    'Transcript',
    'Segment',
    'Summary',
    'ErrorBody',
    'MemoryList',
  ]);
  for (const { properties = {}, required = [] } of Object.values(schemas))
    expect(required).toEqual(Object.keys(properties));
  expect(schemas.Memory?.required).toHaveLength(12);
});

test('exactly the nullable fields allow null, as an array of types', () => {
  const nullable = Object.entries(schemas.Memory?.properties ?? {}).filter(([, { type }]) => Array.isArray(type));
  expect(Object.fromEntries(nullable.map(([field, { type }]) => [field, type]))).toEqual({
    audio_url: ['string', 'null'],
    video_url: ['string', 'null'],
    preview_image_url: ['string', 'null'],
    transcript: ['object', 'null'],
    summary: ['object', 'null'],
  });
  expect(schemas.ListedMemory?.properties?.transcript?.type).toBe('null');
  expect(schemas.Transcript?.type).toEqual(['object', 'null']);
  expect(schemas.Segment?.type).toBe('object');
});

test('it holds no pattern and forbids no field', () => {
  expect(JSON.stringify(document)).not.toMatch(/"(pattern|additionalProperties|anyOf|oneOf)"/);
});

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g);
  const components: Record<string, object> = document.components;
  for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty([name]);
});

test.each([
  ['https://api.example.org', 'https://api.example.org'],
  ['https://api.example.org/', 'https://api.example.org'],
  [new URL('https://api.example.org/base/'), 'https://api.example.org/base'],
  ['/', '/'],
])('the server URL %s is written as %s', (serverUrl, written) => {
  expect(buildOpenApiDocument({ serverUrl }).servers[0]?.url).toBe(written);
});

test('each document is a new one: changing it changes no other', () => {
  empty(buildOpenApiDocument({ serverUrl: 'http://127.0.0.1:8787' }));
  expect(buildOpenApiDocument({ serverUrl: 'http://127.0.0.1:8787' })).toEqual(committed);
});

function empty(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    empty(inner);
    Reflect.deleteProperty(value, key);
  }
}

function examplesOf({ content }: ResponseObject): unknown[] {
  return Object.values(content['application/json'].examples).map(({ value }) => value);
}
