import { GoogleGenAI, mcpToTool } from '@google/genai';
import { MemoryClient } from '@memory-read/client';
import { createLiveSource, createMemoryMcpServer } from '@memory-read/mcp';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { listen } from '@memory-read/test-kit/listen';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { mcpToFunctionTool } from '@openai/agents-core';
import { expect, test } from 'vitest';

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

const { baseUrl, apiKey, fetch } = createMemoryMock({ memories: [] });
const server = createMemoryMcpServer({ source: createLiveSource(new MemoryClient({ baseUrl, apiKey, fetch })) });
const client = new Client({ name: 'test', version: '0.0.0' });
const [here, there] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(there), client.connect(here)]);
const { tools } = await client.listTools();
const names = ['search', 'fetch', 'list_memories', 'verify_quote'];

/** Keywords that OpenAI permits in the schema of a strict function. */
const ofOpenAI = ['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum'];
const numbersOfOpenAI = ['minimum', 'maximum', 'minItems', 'maxItems'];
/** Fields that Gemini reads of a JSON Schema, which it also has in its own form of a schema. */
const ofGemini = [...ofOpenAI.filter((keyword) => keyword !== 'additionalProperties'), ...numbersOfOpenAI];

/** Returns what a service would refuse, each with its path. */
function violations(schema: Schema | undefined, keywords: readonly string[], path: string): string[] {
  if (schema === undefined) return [`${path}: no schema`];
  const { properties, items, anyOf = [] } = schema;
  const type = String(schema.type).toLowerCase();
  const own = [
    ...Object.keys(schema).filter((keyword) => !keywords.includes(keyword)),
    ...(schema.type === undefined && anyOf.length === 0 ? ['a value without a type'] : []),
    ...(Array.isArray(schema.type) ? ['several types'] : []),
    ...(type === 'object' && Object.keys(properties ?? {}).length === 0 ? ['an object without properties'] : []),
    ...(type === 'array' && items === undefined ? ['an array without items'] : []),
    ...(schema.enum !== undefined && type !== 'string' ? ['an enum without the type string'] : []),
  ].map((problem) => `${path}: ${problem}`);
  const parts: [string, Schema][] = [
    ...Object.entries(properties ?? {}),
    ...(items === undefined ? [] : ([['items', items]] as [string, Schema][])),
    ...anyOf.map((part, index): [string, Schema] => [`anyOf ${index}`, part]),
  ];
  return [...own, ...parts.flatMap(([name, part]) => violations(part, keywords, `${path}.${name}`))];
}

test('all tools are strict functions of the Agents SDK of OpenAI', () => {
  const converted = tools.map((tool) => mcpToFunctionTool(tool as never, { name: 'memories' } as never, true));
  expect(converted.map(({ name, strict }) => [name, strict])).toEqual(names.map((name) => [name, true]));
  const problems = converted.flatMap(({ name, parameters }) =>
    violations(parameters as Schema, [...ofOpenAI, ...numbersOfOpenAI], name),
  );
  expect(problems).toEqual([]);
});

test('all tools are function declarations of Gemini, as JSON Schema and in its own form', async () => {
  const bodies: { tools: { functionDeclarations: Record<string, Schema>[] }[] }[] = [];
  await using service = await listen(async (request, response) => {
    bodies.push(JSON.parse((await request.toArray()).join('')));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"candidates":[]}');
  });
  const gemini = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: service.url } });
  const { functionDeclarations = [] } = await mcpToTool(client as never).tool();
  const inItsForm = functionDeclarations.map(({ name, description, parametersJsonSchema, responseJsonSchema }) => ({
    name,
    description,
    parameters: parametersJsonSchema,
    response: responseJsonSchema,
  }));
  for (const declarations of [functionDeclarations, inItsForm]) {
    const config = { tools: [{ functionDeclarations: structuredClone(declarations) as never }] };
    await gemini.models.generateContent({ model: 'gemini-test', contents: 'Find the teal door.', config });
  }
  const [asJson = [], own = []] = bodies.map((body) => body.tools[0]?.functionDeclarations ?? []);
  expect([asJson.map(({ name }) => name), own.map(({ name }) => name)]).toEqual([names, names]);
  const problems = [
    ...asJson.flatMap(({ name, parametersJsonSchema, responseJsonSchema }) => [
      ...violations(parametersJsonSchema, ofGemini, `${name} input`),
      ...violations(responseJsonSchema, ofGemini, `${name} output`),
    ]),
    ...own.flatMap(({ name, parameters, response }) => [
      ...violations(parameters, [...ofGemini, 'nullable'], `${name} parameters`),
      ...violations(response, [...ofGemini, 'nullable'], `${name} response`),
    ]),
  ];
  expect(problems).toEqual([]);
});
