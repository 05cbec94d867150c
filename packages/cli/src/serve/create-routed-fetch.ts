/** A `fetch` that may also have the answer of the API as the server's `serve` takes it, without a `Response` made of it. */
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
