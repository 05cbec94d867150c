import { drive } from './drive.ts';

/** workerd: the input is the body of a request, the report that of the response. */
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await drive(await request.json(), await import('./second-copy.mjs' as string)));
  },
};
