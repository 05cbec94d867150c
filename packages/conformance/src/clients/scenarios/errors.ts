import { scenariosOf } from './scenario.ts';

export const errors = scenariosOf('errors', [
  {
    id: '401',
    title: 'a key that the server refuses',
    faults: [{ fault: { status: 401, detail: 'Invalid API key' }, times: 'always' }],
    ends: 'error',
    status: 401,
    apiRequests: 1,
  },
  {
    id: '404',
    title: 'a memory that does not exist',
    operation: 'get',
    memoryId: 'mem_unknown',
    ends: 'error',
    status: 404,
    apiRequests: 1,
  },
  {
    id: '422',
    title: 'a refused id, with a list of issues as the detail',
    operation: 'get',
    faults: [{ fault: { status: 422, style: 'fastapi' }, times: 'always' }],
    ends: 'error',
    status: 422,
    apiRequests: 1,
  },
  {
    id: '500-always',
    title: 'an internal error for each request',
    faults: [{ fault: { status: 500 }, times: 'always' }],
    ends: 'error',
    status: 500,
  },
  {
    id: '503-always',
    title: 'the page of a gateway with status 503 for each request',
    faults: [{ fault: { status: 503, style: 'html' }, times: 'always' }],
    ends: 'error',
    status: 503,
  },
]);
