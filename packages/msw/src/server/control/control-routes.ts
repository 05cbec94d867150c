import { assertOptions } from '../../checks/assert-options.ts';
import { formatValue } from '../../checks/format-value.ts';
import type { MockSpace } from '../mock-server.ts';
import { awaitRequests } from './await-requests.ts';
import { controlDocument } from './control-document.ts';
import { ControlError } from './control-error.ts';
import type { ControlContext, ControlRoute } from './control-route.ts';
import { faultMatch, listOf, schemaReference } from './control-schemas.ts';

const text = { type: 'string' };
const dateTime = { type: 'string', format: 'date-time' };
const count = { type: 'integer', minimum: 0 };
const clock = { type: 'object', required: ['now'], properties: { now: dateTime } };
const seed = { type: ['number', 'string'] };
const record = schemaReference('MemoryRecord');
const changes = schemaReference('MemoryChanges');
const space = schemaReference('Space');
const spaceBody = {
  id: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
  seed,
  now: dateTime,
  memories: listOf(record),
  apiKey: text,
  auth: { type: 'string', enum: ['key', 'none'] },
  basePath: text,
};
const account = { userId: text, apiKey: text };
const times = { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'always' }], default: 1 };
const faultBody = { fault: schemaReference('Fault'), times, match: schemaReference('FaultMatch') };
const memoryBody = {
  memory: changes,
  userId: text,
  processing: { type: 'boolean' },
  finishAfter: { type: 'number', minimum: 0 },
};

/** Routes below a space. */
const spaceRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: '', action: 'read a space', returns: space, call: ({ space }) => toJson(space) },
  { method: 'DELETE', path: '', action: 'close a space', call: ({ space }) => space.close() },
  { method: 'POST', path: '/reset', action: 'reset a space', call: ({ space }) => space.reset() },
  {
    method: 'POST',
    path: '/expire-media-urls',
    action: 'expire the media URLs',
    call: ({ space }) => space.expireMediaUrls(),
  },
  {
    method: 'GET',
    path: '/clock',
    action: 'read the clock',
    returns: clock,
    call: ({ space }) => ({ now: space.clock.now() }),
  },
  {
    method: 'POST',
    path: '/clock',
    action: 'move the clock',
    body: { advance: { type: 'number', minimum: 0, description: 'Milliseconds.' }, set: dateTime },
    returns: clock,
    call: moveClock,
  },
  {
    method: 'GET',
    path: '/memories',
    action: 'list memories',
    query: { user_id: text },
    returns: listOf(record),
    call: ({ space, query }) => space.memories.all({ userId: query.user_id }),
  },
  {
    method: 'POST',
    path: '/memories',
    action: 'add a memory',
    body: memoryBody,
    status: 201,
    returns: record,
    call: addMemory,
  },
  {
    method: 'PATCH',
    path: '/memories/{memory_id}',
    action: 'update a memory',
    body: 'MemoryChanges',
    returns: record,
    call: ({ space, path, body }) => space.memories.update(String(path.memory_id), body),
  },
  {
    method: 'DELETE',
    path: '/memories/{memory_id}',
    action: 'remove a memory',
    call: ({ space, path }) => space.memories.remove(String(path.memory_id)),
  },
  {
    method: 'POST',
    path: '/memories/{memory_id}/finish',
    action: 'finish processing',
    body: 'MemoryChanges',
    returns: record,
    call: ({ space, path, body }) => space.memories.finishProcessing(String(path.memory_id), body),
  },
  {
    method: 'POST',
    path: '/accounts',
    action: 'add an account',
    body: account,
    status: 201,
    returns: { type: 'object', required: ['userId', 'apiKey'], properties: account },
    call: ({ space, body }) => space.accounts.add(body),
  },
  {
    method: 'POST',
    path: '/keys/deactivate',
    action: 'deactivate an API key',
    body: { apiKey: text },
    call: ({ space, body }) => space.accounts.deactivateKey(body.apiKey as string),
  },
  {
    method: 'GET',
    path: '/faults',
    action: 'list faults',
    returns: listOf(schemaReference('FaultState')),
    call: ({ space }) => space.faults.all(),
  },
  {
    method: 'POST',
    path: '/faults',
    action: 'schedule a fault',
    body: faultBody,
    status: 201,
    returns: { type: 'object', required: ['id', 'played'], properties: { id: text, played: count } },
    call: scheduleFault,
  },
  { method: 'DELETE', path: '/faults', action: 'remove all faults', call: ({ space }) => space.faults.clear() },
  {
    method: 'GET',
    path: '/faults/{fault}',
    action: 'read a fault',
    returns: schemaReference('FaultState'),
    call(context) {
      return context.space.faults.all().find(({ id }) => id === context.path.fault) ?? missingFault(context);
    },
  },
  {
    method: 'DELETE',
    path: '/faults/{fault}',
    action: 'remove a fault',
    call: (context) => void (context.space.faults.cancel(String(context.path.fault)) || missingFault(context)),
  },
  {
    method: 'GET',
    path: '/requests',
    action: 'read the requests',
    query: { after: { ...count, default: 0 }, wait: { type: 'number', minimum: 0, maximum: 60, default: 0 } },
    returns: {
      type: 'object',
      required: ['requests', 'next'],
      properties: { requests: listOf(schemaReference('WireRequest')), next: count },
    },
    call: ({ space, query, signal, nextEntry }) => {
      const after = numberIn(query, 'after', Number.MAX_SAFE_INTEGER);
      const waitMs = numberIn(query, 'wait', 60) * 1000;
      return awaitRequests(space, { after, waitMs, signal, nextEntry });
    },
  },
];

/** The routes of the control API. */
export const controlRoutes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/healthz',
    action: 'check the health',
    returns: { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
    call: () => ({ status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    action: 'describe the control API',
    returns: { type: 'object' },
    call: () => controlDocument(controlRoutes),
  },
  {
    method: 'GET',
    path: '/spaces',
    action: 'list spaces',
    returns: listOf(space),
    call: ({ server }) => server.spaces().map(toJson),
  },
  {
    method: 'POST',
    path: '/spaces',
    action: 'open a space',
    body: spaceBody,
    status: 201,
    returns: space,
    call: async ({ server, body }) => toJson(await server.openSpace(body)),
  },
  ...spaceRoutes.map((route) => ({ ...route, path: `/spaces/{space}${route.path}` })),
];

function toJson({ id, baseUrl, mediaUrl, elsewhereUrl, apiKey, clock }: MockSpace) {
  return { id, baseUrl, mediaUrl, elsewhereUrl, apiKey, now: clock.now() };
}

function moveClock({ space, body, action }: ControlContext) {
  const { advance, set } = body;
  if ((advance === undefined) === (set === undefined)) {
    throw new TypeError(
      `Failed to ${action}: the body has ${set === undefined ? 'neither' : 'both'} advance ${set === undefined ? 'nor' : 'and'} set. Pass one of them.`,
    );
  }
  if (set === undefined) space.clock.advance(advance as number);
  else space.clock.set(set);
  return { now: space.clock.now() };
}

function addMemory({ space, body, action }: ControlContext) {
  const { memory, userId, processing = false, finishAfter } = body;
  if (typeof processing !== 'boolean') {
    throw new TypeError(
      `Failed to ${action}: processing is ${formatValue(processing)}, which is not a boolean. Pass true or false.`,
    );
  }
  if (!processing && finishAfter !== undefined) {
    throw new TypeError(`Failed to ${action}: finishAfter needs processing. Pass "processing": true.`);
  }
  return processing
    ? space.memories.addProcessing(memory, { finishAfter, userId })
    : space.memories.add(memory, { userId });
}

function scheduleFault({ space, body: { fault, times, match = {} }, action }: ControlContext) {
  assertOptions(action, { name: 'match', value: match }, Object.keys(faultMatch));
  const { id, played } =
    times === 'always' ? space.faults.always(fault, { match }) : space.faults.next(fault, { times, match });
  return { id, played };
}

function missingFault({ action, path }: ControlContext): never {
  throw new ControlError(
    404,
    `Failed to ${action}: the fault ${formatValue(path.fault)} does not exist, or it is used up. List the faults of this space.`,
  );
}

function numberIn(query: ControlContext['query'], name: 'after' | 'wait', max: number): number {
  const { [name]: given = '0' } = query;
  const isNumber = name === 'after' ? /^\d+$/ : /^\d+(\.\d+)?$/;
  if (isNumber.test(given) && Number(given) <= max) return Number(given);
  throw new RangeError(
    `Failed to read the requests: ${name} is ${formatValue(given)}, which is not a number from 0 to ${max}. Pass one of them.`,
  );
}
