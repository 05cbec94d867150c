import { listedJson } from './response-text.ts';
import { failing, type ScenarioFault, scenariosOf, threeMemories } from './scenario.ts';

function respond(contentType: string, body: string): ScenarioFault['fault'] {
  return { respond: { status: 200, headers: { 'content-type': contentType }, body } };
}

const half = { stop: { share: 0.5 }, by: 'end' } as const;
const [first, second] = threeMemories.map(listedJson);
const signInPage = '<!doctype html><title>Sign in</title><form action="/sign-in"><input name="password"></form>';

export const bodies = scenariosOf('bodies', [
  failing('body-cut', 'half of a body with a length', half),
  failing('body-chunk-cut', 'half of a chunked body, without the last chunk', { ...half, framing: 'chunked' }),
  failing('body-close-cut', 'half of a body that the end of the connection ends', { ...half, framing: 'close' }),
  failing('body-exact-cut', 'half of a body, with the length of that half', { ...half, framing: 'exact' }),
  failing(
    'list-cut-at-item',
    'a list that ends after its second memory',
    respond('application/json', `[${first},${second}`),
  ),
  failing('sign-in-page', 'a sign-in page with status 200', respond('text/html', signInPage)),
  failing('empty-body', 'an empty body with status 200', respond('application/json', '')),
  failing(
    'other-shape',
    'an object instead of a list',
    respond('application/json', `{"memories":[${first}],"next":null}`),
  ),
  failing(
    'wrong-types',
    'a memory with a number as its name, and texts as its flag and its duration',
    { fields: { name: 7, is_processing: 'no', duration_seconds: '60' } },
    { operation: 'get', profile: 'reference' },
  ),
]);
