import { failing, scenariosOf } from './scenario.ts';

export const errors = scenariosOf('errors', [
  failing(
    '401',
    'a key that the server refuses',
    { status: 401, detail: 'Invalid API key' },
    { status: 401, apiRequests: 1 },
  ),
  {
    id: '404',
    title: 'a memory that does not exist',
    operation: 'get',
    memoryId: 'mem_unknown',
    ends: 'error',
    status: 404,
    apiRequests: 1,
  },
  failing(
    '422',
    'a refused id, with a list of issues as the detail',
    { status: 422, style: 'fastapi' },
    { operation: 'get', status: 422, apiRequests: 1 },
  ),
  failing('500-always', 'an internal error for each request', { status: 500 }, { status: 500 }),
  failing(
    '503-always',
    'the page of a gateway with status 503 for each request',
    { status: 503, style: 'html' },
    { status: 503 },
  ),
]);
