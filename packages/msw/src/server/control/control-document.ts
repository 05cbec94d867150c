import { type ControlRoute, type JsonSchema, statusOf } from './control-route.ts';
import { controlSchemas, schemaReference } from './control-schemas.ts';

/** Returns the OpenAPI 3.1 document of these routes. */
export function controlDocument(routes: readonly ControlRoute[]): JsonSchema {
  const pathItem = (path: string) =>
    Object.fromEntries(
      routes
        .filter((route) => route.path === path)
        .map((route) => [route.method.toLowerCase(), operationObject(route)]),
    );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the Memory Read mock',
      version: '0.1.0',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    paths: Object.fromEntries(routes.map(({ path }) => [path, pathItem(path)])),
    components: { schemas: controlSchemas() },
  };
}

function operationObject(route: ControlRoute): JsonSchema {
  const { path, action, query = {}, body, returns } = route;
  const properties = typeof body === 'string' ? undefined : body;
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }));
  return {
    operationId: operationIdOf(action),
    summary: `${action.charAt(0).toUpperCase()}${action.slice(1)}`,
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body !== undefined && {
      requestBody: {
        content: content(
          properties === undefined
            ? schemaReference(String(body))
            : { type: 'object', properties, additionalProperties: false },
        ),
      },
    }),
    responses: {
      [statusOf(route)]: { description: 'Done.', ...(returns && { content: content(returns) }) },
      '4XX': { description: 'Nothing was changed. `detail` says why.', content: content(schemaReference('ErrorBody')) },
    },
  };
}

/** `add a memory` becomes `addMemory`. */
function operationIdOf(action: string): string {
  const [verb = '', ...words] = action.split(' ').filter((word) => !/^(an?|all|the)$/.test(word));
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function content(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
