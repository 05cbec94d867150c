import { MemoryClient, type MemoryClientOptions } from '../index.ts';

/** Result of one attempt: a response, an error to reject with, or a function of the request. */
export type StubAnswer = Response | Error | ((request: Request) => Promise<Response>);

/** Returns a `fetch` that gives one answer after the other and repeats the last one. It records the requests. */
export function stubFetch(...answers: readonly StubAnswer[]) {
  const requests: Request[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'function') return answer(request);
    if (answer === undefined) throw new TypeError('The stub has no answer.');
    return answer.clone();
  };
  return { fetch, requests };
}

export function json(body: unknown, init?: ResponseInit): Response {
  return Response.json(body, init);
}

/** Returns a promise that ends only with the request's signal, like a real response that never arrives. */
export function never(request: Request): Promise<Response> {
  return new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });
}

/** Returns a response with headers and a first chunk, whose body never ends. */
export async function stalledBody(): Promise<Response> {
  return new Response(
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"id')) }),
  );
}

/** Returns a client of an API that gives one answer after the other, and the requests that it receives. */
export function stubClient(answers: StubAnswer | readonly StubAnswer[], options: MemoryClientOptions = {}) {
  const { fetch, requests } = stubFetch(...[answers].flat());
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch, ...options });
  return { client, requests };
}
