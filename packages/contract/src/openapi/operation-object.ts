import type { Operation } from '../operations/operation.ts';
import type { OperationId } from '../operations/operations.ts';
import { type ProblemName, problems } from '../problems/problems.ts';
import { schemaReference } from './component-schemas.ts';
import { examples } from './examples.ts';
import { responseHeaders } from './headers.ts';
import type { ExampleObject, OperationObject, ParameterObject, ResponseObject } from './open-api-document.ts';

/** The operation of the table as the document shows it: every parameter, every response, each with examples. */
export function operationObject(id: OperationId, operation: Operation): OperationObject {
  const parameters = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => pathParameter(name));
  return {
    operationId: id,
    tags: ['Memories'],
    summary: operation.summary,
    description: operationDescriptions[id],
    ...(parameters.length > 0 && { parameters }),
    responses: { 200: successResponse(operation), ...problemResponses(operation.problems) },
  };
}

const operationDescriptions: Record<OperationId, string> = {
  listMemories:
    "Returns every memory of the key's account as one array, newest first by `started_at`. An account without memories gets an empty array. Transcripts are left out: `transcript` is null in every element. No query parameters are accepted.",
  getMemory:
    "Returns one memory of the key's account. While `is_processing` is true, transcript and summary can be null: read the memory again until it is false. A memory of another account is not found, like one that does not exist.",
};

const pathParameters: Record<string, Pick<ParameterObject, 'description' | 'example'>> = {
  memory_id: { description: 'The `id` of the memory.', example: 'mem_01JZPAYTX4W9V3E8R2C6K5QDNM' },
};

function pathParameter(name: string): ParameterObject {
  const words = pathParameters[name];
  if (!words) throw new Error(`Failed to describe the path parameter "${name}": its words are missing. Add them here.`);
  return { name, in: 'path', required: true, schema: { type: 'string' }, ...words };
}

function successResponse({ response }: Operation): ResponseObject {
  return {
    description: response.description,
    headers: responseHeaders(200),
    content: {
      'application/json': { schema: schemaReference(response.component), examples: examples[response.component] },
    },
  };
}

/** One response for each status; where several problems share it, each is an example. */
function problemResponses(names: readonly ProblemName[]): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const { status } of names.map((name) => problems[name])) {
    responses[status] ??= problemResponse(
      status,
      names.filter((name) => problems[name].status === status),
    );
  }
  return responses;
}

function problemResponse(status: number, names: readonly ProblemName[]): ResponseObject {
  const exampleOf = (name: ProblemName): ExampleObject => ({
    summary: sentence(problems[name].when),
    value: { detail: problems[name].detail },
  });
  return {
    description: sentence(names.map((name) => problems[name].when).join('; or ')),
    headers: responseHeaders(status),
    content: {
      'application/json': {
        schema: schemaReference('ErrorBody'),
        examples: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
      },
    },
  };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
