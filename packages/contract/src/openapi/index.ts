/**
 * The API's description in OpenAPI 3.1.
 *
 * @packageDocumentation
 */
export { buildOpenApiDocument, type OpenApiDocumentOptions } from './build-open-api-document.ts';
export type {
  ExampleObject,
  HeaderObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
  SecuritySchemeObject,
} from './open-api-document.ts';
