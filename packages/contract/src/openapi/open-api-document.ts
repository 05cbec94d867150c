/** The parts of an OpenAPI 3.1 document that this API's document uses; plain data, ready for `JSON.stringify`. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, { get: OperationObject }>;
  components: {
    schemas: Record<string, SchemaObject>;
    headers: Record<string, HeaderObject>;
    securitySchemes: Record<string, SecuritySchemeObject>;
  };
}

/** One operation of the document. */
export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: ParameterObject[] | undefined;
  responses: Record<string, ResponseObject>;
}

/** A parameter in a path. */
export interface ParameterObject {
  name: string;
  in: 'path';
  required: true;
  description: string;
  schema: SchemaObject;
  example: string;
}

/** A response with one status. */
export interface ResponseObject {
  description: string;
  headers: Record<string, ReferenceObject>;
  content: { 'application/json': { schema: ReferenceObject; examples: Record<string, ExampleObject> } };
}

/** An example of a body. */
export interface ExampleObject {
  summary: string;
  value: unknown;
}

/** A response header. */
export interface HeaderObject {
  description: string;
  schema: SchemaObject;
  example: string;
}

/** A way to send the API key. */
export type SecuritySchemeObject =
  | { type: 'http'; scheme: 'bearer'; description: string }
  | { type: 'apiKey'; in: 'header'; name: string; description: string };

/** A reference into the document. */
export interface ReferenceObject {
  $ref: string;
}

/** The keywords of JSON Schema that the document uses. */
export interface SchemaObject {
  $ref?: string | undefined;
  description?: string | undefined;
  type?: string | string[] | undefined;
  format?: string | undefined;
  required?: string[] | undefined;
  properties?: Record<string, SchemaObject> | undefined;
  items?: SchemaObject | undefined;
}
