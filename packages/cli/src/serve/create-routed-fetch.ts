/** A `fetch` that can also return the response as a plain value, so that `serve` needs no `Response`. */
export type RoutedFetch = ((request: Request) => Promise<Response>) & {
  readonly answer?: ((request: Request) => Promise<unknown>) | undefined;
};

/** Passes each request on to the `fetch` that `route` chooses for it. `onFetch` receives the promise of the response. */
export function createRoutedFetch(
  route: (request: Request) => RoutedFetch,
  onFetch?: ((request: Request, response: Promise<unknown>) => void) | undefined,
): RoutedFetch {
  const fetch = (request: Request) => route(request)(request);
  const answer = (request: Request): Promise<unknown> => {
    const chosen = route(request);
    const response = chosen.answer === undefined ? chosen(request) : chosen.answer(request);
    onFetch?.(request, response);
    return response;
  };
  return Object.assign(fetch, { answer });
}
