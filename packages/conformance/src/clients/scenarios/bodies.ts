import { listedJson, listedMemories } from './response-text.ts';
import { type ScenarioFault, type ScenarioRow, scenariosOf } from './scenario.ts';

function wrongBody(id: string, title: string, fault: ScenarioFault['fault']): ScenarioRow {
  return { id, title, faults: [{ fault, times: 'always' }], ends: 'error' };
}

function respond(contentType: string, body: string): ScenarioFault['fault'] {
  return { respond: { status: 200, headers: { 'content-type': contentType }, body } };
}

const half = { stop: { share: 0.5 }, by: 'end' } as const;
const [first, second] = listedMemories.map(listedJson);
const signInPage = '<!doctype html><title>Sign in</title><form action="/sign-in"><input name="password"></form>';

export const bodies = scenariosOf('bodies', [
  wrongBody('body-cut', 'half of a body with a length', half),
  wrongBody('body-chunk-cut', 'half of a chunked body, without the last chunk', { ...half, framing: 'chunked' }),
  wrongBody('body-close-cut', 'half of a body that the end of the connection ends', { ...half, framing: 'close' }),
  wrongBody('body-exact-cut', 'half of a body, with the length of that half', { ...half, framing: 'exact' }),
  wrongBody(
    'list-cut-at-item',
    'a list that ends after its second memory',
    respond('application/json', `[${first},${second}`),
  ),
  wrongBody('sign-in-page', 'a sign-in page with status 200', respond('text/html', signInPage)),
  wrongBody('empty-body', 'an empty body with status 200', respond('application/json', '')),
  wrongBody(
    'other-shape',
    'an object instead of a list',
    respond('application/json', `{"memories":[${first}],"next":null}`),
  ),
  {
    ...wrongBody('wrong-types', 'a memory with a number as its name, and texts as its flag and its duration', {
      fields: { name: 7, is_processing: 'no', duration_seconds: '60' },
    }),
    operation: 'get',
    profile: 'reference',
  },
]);
