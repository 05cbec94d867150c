/** A `fetch` that can also return the response as a plain value, so that `serve` needs no `Response`. */
export type RoutedFetch = ((request: Request) => Promise<Response>) & {
  readonly answer?: ((request: Request) => Promise<unknown>) | undefined;
};

/** Passes each request on to the `fetch` that `route` chooses for it. */
export function createRoutedFetch(route: (request: Request) => RoutedFetch): RoutedFetch {
  const fetch = (request: Request) => route(request)(request);
  const answer = (request: Request): Promise<unknown> => {
    const chosen = route(request);
    return chosen.answer === undefined ? chosen(request) : chosen.answer(request);
  };
  return Object.assign(fetch, { answer });
}
