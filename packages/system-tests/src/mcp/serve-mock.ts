import { createMemoryMock } from '@memory-read/msw/fetch';
import { listen } from '@memory-read/test-kit/listen';

/** Serves an empty mock of the API, for programs with the environment `env`. */
export async function serveMock() {
  const mock = createMemoryMock({ memories: [] });
  const api = await listen(async ({ url, headers: { authorization = '' } }, response) => {
    const answer = await mock.fetch(new Request(`${mock.baseUrl}${url}`, { headers: { authorization } }));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  return {
    mock,
    env: { MEMORY_API_URL: api.url, MEMORY_API_KEY: mock.apiKey },
    close: () => api[Symbol.asyncDispose](),
  };
}
