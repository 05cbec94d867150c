import { failing, recovery, scenariosOf } from './scenario.ts';

export const limits = scenariosOf('limits', [
  failing('stall-head', 'a server that never responds', 'stall'),
  failing('stall-body', 'a body that stops in the middle', { stop: { share: 0.5 }, by: 'stall' }),
  failing('drip', 'a body that arrives too slowly, but never stops', { bytesPerSecond: 20 }, { profile: 'reference' }),
  recovery('stall-once', 'a server that does not respond, then the data', 'stall'),
]);
