import { failing, scenariosOf } from './scenario.ts';

export const redirects = scenariosOf('redirects', [
  {
    id: 'redirect-key',
    title: 'a redirect to another origin',
    faults: [{ fault: { redirect: 302, to: 'elsewhere' }, times: 'always' }],
    ends: 'safely',
  },
  failing('redirect-loop', 'a redirect to the same URL', { redirect: 302, to: 'self' }, { redirectsToSelf: true }),
  failing(
    'redirect-other-data',
    'a redirect to another origin that responds with a list',
    { redirect: 307, to: 'elsewhere' },
    { profile: 'reference' },
  ),
]);
