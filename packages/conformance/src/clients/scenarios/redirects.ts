import { scenariosOf } from './scenario.ts';

export const redirects = scenariosOf('redirects', [
  {
    id: 'redirect-key',
    title: 'a redirect to another origin',
    faults: [{ fault: { redirect: 302, to: 'elsewhere' }, times: 'always' }],
    ends: 'safely',
  },
  {
    id: 'redirect-loop',
    title: 'a redirect to the same URL',
    faults: [{ fault: { redirect: 302, to: 'self' }, times: 'always' }],
    redirectsToSelf: true,
    ends: 'error',
  },
  {
    id: 'redirect-other-data',
    title: 'a redirect to another origin that responds with a list',
    profile: 'reference',
    faults: [{ fault: { redirect: 307, to: 'elsewhere' }, times: 'always' }],
    ends: 'error',
  },
]);
