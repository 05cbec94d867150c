import { parseYaml } from '@redocly/openapi-core';
import { arazzoText } from './documents.ts';

interface Parameter {
  reference?: string;
  name: string;
  in: 'header' | 'path';
  value: string;
}

interface Step {
  stepId: string;
  operationId: 'listMemories' | 'getMemory';
  parameters?: Parameter[];
  successCriteria: { condition: string; context?: string; type?: string }[];
  outputs?: Record<string, string>;
}

interface Workflows {
  workflows: { workflowId: string; steps: Step[] }[];
  components: { parameters: Record<string, Parameter> };
}

/** The values that the expressions of a step can name, below `$`. */
interface Values {
  inputs: Record<string, string>;
  steps: Record<string, { outputs: Record<string, unknown> }>;
  statusCode?: number;
  response?: { body: unknown };
}

const { workflows, components } = parseYaml(arazzoText) as Workflows;

/** Runs every step of the published workflows, and returns how each ended and the criteria that it does not meet. */
export async function runWorkflows(baseUrl: string, inputs: Values['inputs'], fetchStep: typeof fetch = fetch) {
  const seen: { stepId: string; status: number; unmet: string[] }[] = [];
  for (const { steps } of workflows) {
    const values: Values = { inputs, steps: {} };
    for (const { stepId, operationId, parameters = [], successCriteria, outputs = {} } of steps) {
      const headers: Record<string, string> = {};
      let path = operationId === 'listMemories' ? '' : '/';
      for (const { reference, ...given } of parameters) {
        const parameter = reference ? components.parameters[reference.split('.').at(-1) ?? ''] : given;
        if (!parameter) throw new Error(`${stepId} refers to ${reference}, which is missing.`);
        const value = fill(parameter.value, values);
        if (parameter.in === 'path') path += encodeURIComponent(value);
        else headers[parameter.name] = value;
      }
      const response = await fetchStep(`${baseUrl}/v1/memories${path}`, { headers });
      Object.assign(values, { statusCode: response.status, response: { body: await response.json() } });
      values.steps[stepId] = {
        outputs: Object.fromEntries(Object.entries(outputs).map(([name, text]) => [name, resolve(text, values)])),
      };
      const unmet = successCriteria.filter((criterion) => !isMet(criterion, values)).map(({ condition }) => condition);
      seen.push({ stepId, status: response.status, unmet });
    }
  }
  return seen;
}

function isMet({ condition, context, type }: Step['successCriteria'][number], values: Values): boolean {
  if (type === 'regex') return new RegExp(condition).test(String(resolve(context ?? '', values)));
  return condition.split(' || ').some((part) => {
    const [left = '', operator, right = ''] = part.split(/ (==|!=) /);
    return (resolve(left, values) === resolve(right, values)) === (operator === '==');
  });
}

function fill(text: string, values: Values): string {
  return text.startsWith('$')
    ? String(resolve(text, values))
    : text.replace(/\{(.+?)\}/g, (_, expression) => String(resolve(expression, values)));
}

/** Returns what a runtime expression such as `$response.body#/0/id` names, or the value of a literal. */
function resolve(expression: string, values: Values): unknown {
  if (!expression.startsWith('$')) return JSON.parse(expression.replaceAll("'", '"'));
  return expression
    .slice(1)
    .split(/[.#/]+/)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values);
}
