import { assertOptions } from '../../checks/assert-options.ts';
import { alternatives, formatValue } from '../../checks/format-value.ts';
import { decodedPath } from '../../request-log/request-target.ts';
import type { MockServer, MockSpace } from '../mock-server.ts';
import { ControlError, isControlError } from './control-error.ts';
import { type ControlContext, type ControlRoute, statusOf } from './control-route.ts';
import { controlRoutes } from './control-routes.ts';
import { guardRequest } from './guard-request.ts';
import { readJsonBody } from './read-json-body.ts';

/** Options of {@link createControlApi}. */
export interface ControlApiOptions extends Pick<ControlContext, 'nextEntry'> {
  /** Names that `Host` can have beside loopback names. */
  hosts: readonly string[];
}

/** Returns the handler of the control API, for `serve`. */
export function createControlApi(
  server: MockServer,
  { hosts, nextEntry }: ControlApiOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      guardRequest(request, hosts);
      const { route, path } = findRoute(request);
      return await callRoute(route, { request, server, path, nextEntry }).catch((error: unknown) => {
        throw toControlError(error, route, path);
      });
    } catch (error) {
      if (!isControlError(error)) throw error;
      return respond(error.status, { detail: error.message }, error.headers);
    }
  };
}

interface RoutedRequest extends Pick<ControlContext, 'server' | 'path' | 'nextEntry'> {
  request: Request;
}

async function callRoute(route: ControlRoute, { request, ...context }: RoutedRequest): Promise<Response> {
  const { action } = route;
  const { server, path } = context;
  const space = path.space === undefined ? server : findSpace(server, action, path.space);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  assertOptions(action, { name: 'the query', value: query }, Object.keys(route.query ?? {}));
  const body = (await readJsonBody(request)) as ControlContext['body'];
  if (route.body !== 'MemoryChanges') {
    assertOptions(action, { name: 'the body', value: body }, Object.keys(route.body ?? {}));
  }
  const { signal } = request;
  return respond(statusOf(route), await route.call({ ...context, action, space, query, body, signal }));
}

function findRoute({ url, method }: Request): { route: ControlRoute; path: Record<string, string> } {
  const { pathname } = new URL(url);
  const found = controlRoutes.flatMap((route) => {
    const path = matchPath(route.path, pathname);
    return path === undefined ? [] : [{ route, path }];
  });
  if (found.length === 0) {
    throw new ControlError(404, 'Failed to find the route: no route has this path. See GET /openapi.json.');
  }
  const methods = found.map(({ route }) => route.method);
  // Probes of test runners send HEAD.
  const called = found.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method));
  if (called !== undefined) return called;
  const message = `Failed to find the route: this path does not support the method. Use ${alternatives(methods)}.`;
  throw new ControlError(405, message, { allow: methods.join(', ') });
}

/** Returns the parameters; undefined if the path is that of another route. */
function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const [names, segments] = [template.split('/'), pathname.split('/')];
  const isParameter = (name: string) => name.startsWith('{');
  const fits = names.every((name, index) => (isParameter(name) ? segments[index] !== '' : name === segments[index]));
  if (!fits || names.length !== segments.length) return undefined;
  return Object.fromEntries(
    names.flatMap((name, index) =>
      isParameter(name) ? [[name.slice(1, -1), decodedPath(segments[index] ?? '')]] : [],
    ),
  );
}

function findSpace(server: MockServer, action: string, id: string): MockSpace {
  const space = server.spaces().find((each) => each.id === id);
  if (space !== undefined) return space;
  const problem = `the space ${formatValue(id)} does not exist`;
  throw new ControlError(404, `Failed to ${action}: ${problem}. List the spaces, or open it.`);
}

/** Gives the errors of the controls a status. Others are those of the machine, such as one of a port, and become a 500. */
function toControlError(error: unknown, { action }: ControlRoute, { memory_id }: ControlContext['path']): unknown {
  const { name, message } = error as Error;
  if (!/^(?:Type|Range|InvalidMemoryRecord)Error$/.test(name) || !message.startsWith('Failed to ')) return error;
  const missing = `Failed to ${action}: the memory ${formatValue(memory_id)} does not exist.`;
  if (message.startsWith(missing)) return new ControlError(404, message);
  return new ControlError(conflict.test(message) ? 409 : 422, message);
}

const conflict =
  /^Failed to open a space: the (?:space "[a-z0-9-]+" is already open|ports \d+ to \d+ are all in use)\./;

function respond(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const init = { status, headers: { ...headers, 'cache-control': 'no-store' } };
  return status === 204 ? new Response(null, init) : Response.json(value, init);
}
