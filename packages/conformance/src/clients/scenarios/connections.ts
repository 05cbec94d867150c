import { type ScenarioFault, type ScenarioRow, scenariosOf } from './scenario.ts';

function brokenRow(id: string, title: string, fault: ScenarioFault['fault']): ScenarioRow {
  return { id, title, faults: [{ fault, times: 'always' }], ends: 'error' };
}

export const connections = scenariosOf('connections', [
  brokenRow('reset', 'a connection that is reset before the response', { stop: 'before-head', by: 'reset' }),
  brokenRow('head-cut', 'a connection that ends within the headers', { stop: 'in-head', by: 'end' }),
  brokenRow('garbage', 'a response that is not HTTP', 'garbage'),
]);
