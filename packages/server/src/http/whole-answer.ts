import { streamOf, type WholeBody } from './whole-body.ts';

/** An answer with its whole body at hand: what a `Response` is made of, and what can be sent without one. */
export interface WholeAnswer<Body extends WholeBody = WholeBody> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

/** Makes what `fetch` resolves with. */
export type MakeResponse = (answer: WholeAnswer) => Response;

const bodies = new WeakMap<Response, WholeBody>();

/** The response of the platform. It tells its whole body, so that who sends it need not read it out of a stream. */
export function toResponse({ body, ...init }: WholeAnswer): Response {
  const response = new Response(typeof body === 'string' ? body : streamOf(body), init);
  bodies.set(response, body);
  return response;
}

/** `undefined` where the body is a stream, was made elsewhere, or has been read. */
export function wholeBodyOf(response: Response): WholeBody | undefined {
  return response.bodyUsed ? undefined : bodies.get(response);
}

const maker = Symbol('maker');

/** Who sends the answer to this request may have it made in another way; a request made of it has none of this. */
export function letMakeResponse(request: Request, make: MakeResponse): void {
  Object.assign(request, { [maker]: make });
}

/** Makes the answer to this request. */
export function responseMakerOf(request: Request): MakeResponse {
  return (request as { [maker]?: MakeResponse })[maker] ?? toResponse;
}
