import { scenariosOf } from './scenario.ts';

export const limits = scenariosOf('limits', [
  {
    id: 'stall-head',
    title: 'a server that never responds',
    faults: [{ fault: 'stall', times: 'always' }],
    ends: 'error',
  },
  {
    id: 'stall-body',
    title: 'a body that stops in the middle',
    faults: [{ fault: { stop: { share: 0.5 }, by: 'stall' }, times: 'always' }],
    ends: 'error',
  },
  {
    id: 'drip',
    title: 'a body that arrives too slowly, but never stops',
    profile: 'reference',
    faults: [{ fault: { bytesPerSecond: 20 }, times: 'always' }],
    ends: 'error',
  },
  {
    id: 'stall-once',
    title: 'a server that does not respond, then the data',
    profile: 'reference',
    faults: [{ fault: 'stall' }],
    ends: 'data',
  },
]);
