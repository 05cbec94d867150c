import { API_DOCUMENT_VERSION } from '../limits.ts';
import { operations } from '../operations/operations.ts';
import { componentSchemas } from './component-schemas.ts';
import { headers } from './headers.ts';
import type { OpenApiDocument, OperationObject, SecuritySchemeObject } from './open-api-document.ts';
import { operationObject } from './operation-object.ts';

/** Options of {@link buildOpenApiDocument}. */
export interface OpenApiDocumentOptions {
  /** Root URL of the API without `/v1`, absolute or relative to the URL of the document. Required. */
  serverUrl: string | URL;
}

/**
 * Returns the OpenAPI 3.1 document of the API: a new plain object, ready for `JSON.stringify`.
 *
 * It is generated from the tables and schemas of this package. A copy for a local server is published as
 * `@memory-read/contract/openapi.json`. See section 9 of the specification for its version.
 *
 * @example
 * ```ts
 * const document = buildOpenApiDocument({ serverUrl: 'https://api.example.com' });
 * console.log(Object.keys(document.paths));
 * ```
 */
export function buildOpenApiDocument({ serverUrl }: OpenApiDocumentOptions): OpenApiDocument {
  // The tables are shared, so the caller gets a copy that it may change.
  return structuredClone<OpenApiDocument>({
    openapi: '3.1.0',
    info: {
      title: 'Memory Read API',
      version: API_DOCUMENT_VERSION,
      summary: 'Read the recorded memories of an account.',
      description,
      contact: { name: 'The maintainers of memory-read' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: String(serverUrl).replace(/\/+$/, '') || '/', description: 'The API, without `/v1`.' }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: [{ name: 'Memories', description: 'Recorded moments with their media, transcript and summary.' }],
    paths: pathItems(),
    components: { schemas: componentSchemas(), headers, securitySchemes },
  });
}

const description =
  'A memory is a recorded moment: its times, links to its media and, once it is processed, a transcript and a summary. The API only reads, and only the memories of the account that the API key belongs to. Responses may carry further fields; ignore those that you do not know.';

const securitySchemes: Record<string, SecuritySchemeObject> = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Recommended: the API key of the account, as `Authorization: Bearer <API_KEY>`.',
  },
  headerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same API key in a header of its own.',
  },
};

function pathItems(): Record<string, { get: OperationObject }> {
  return Object.fromEntries(
    Object.values(operations).map((operation) => [operation.path, { get: operationObject(operation.id, operation) }]),
  );
}
