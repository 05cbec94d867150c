import { failing, scenariosOf } from './scenario.ts';

export const connections = scenariosOf('connections', [
  failing('reset', 'a connection that is reset before the response', { stop: 'before-head', by: 'reset' }),
  failing('head-cut', 'a connection that ends within the headers', { stop: 'in-head', by: 'end' }),
  failing('garbage', 'a response that is not HTTP', 'garbage'),
]);
