import { drive } from './drive.ts';

/** For workerd: the body of the request is the input, and the body of the response is the report. */
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await drive(await request.json()));
  },
};
