/** What one attempt meets: a response, a fault to reject with, or whatever a function makes of the request. */
export type StubAnswer = Response | Error | ((request: Request) => Promise<Response>);

/** A `fetch` that gives one answer after the other, the last one for ever, and keeps the requests. */
export function stubFetch(...answers: readonly StubAnswer[]) {
  const requests: Request[] = [];
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const request = input as Request;
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

/** A response that never comes; ends with the request's signal, as a real one does. */
export function never(request: Request): Promise<Response> {
  return new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });
}

/** Headers and a first chunk, then silence. */
export async function stalledBody(): Promise<Response> {
  return new Response(
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"id')) }),
  );
}
