import type { Expectation, Fault, FaultGroup } from './fault.ts';
import type { FaultOutcome } from './run-fault.ts';

const endings: Readonly<Record<Expectation['ends'], string>> = {
  answer: 'the response',
  abort: "the signal's reason",
  configuration: '`ConfigurationError`',
  authentication: '`AuthenticationError`',
  not_found: '`MemoryNotFoundError`',
  invalid_request: '`InvalidRequestError`',
  rate_limited: '`RateLimitError`',
  server: '`ServerError`',
  unexpected_response: '`UnexpectedResponseError`',
  invalid_response: '`InvalidResponseError`',
  connection: '`ConnectionError`',
  timeout: '`RequestTimeoutError`',
};

/** Returns the catalogue as Markdown for the guide. */
export function renderCatalogue(catalogue: readonly FaultGroup[]): string {
  const count = catalogue.flatMap(({ faults }) => faults).length;
  return [`There are ${count}.`, ...catalogue.map(renderGroup)].join('\n\n');
}

/** Returns text in columns. */
export function printTable(table: readonly (readonly string[])[]): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

/** Returns the result of each fault as text. */
export function printOutcomes(outcomes: readonly FaultOutcome[]): string {
  const rows = outcomes.map(({ name, ends, attempts, elapsed }) => [name, ends, attempts, `${Math.round(elapsed)} ms`]);
  return printTable([['fault', 'ends with', 'attempts', 'after'], ...rows.map((row) => row.map(String))]);
}

function renderGroup({ title, faults, isNodeOnly }: FaultGroup): string {
  const note = isNodeOnly ? ["These results are those of Node's `fetch`. Other runtimes accept more or less.", ''] : [];
  const head = ['| What happens | The call ends with | Attempts |', '|---|---|---|'];
  return [`### ${title}`, '', ...note, ...head, ...faults.map(renderFault)].join('\n');
}

function renderFault({ name, calls, options, expected }: Fault): string {
  const { ends, attempts, error } = expected;
  const which = error?.reason ?? error?.limit;
  const ending = which === undefined ? endings[ends] : `${endings[ends]}, \`${which}\``;
  const made = calls === undefined ? `${attempts} of ${1 + (options?.retries ?? 2)}` : `${attempts} in ${calls} calls`;
  return `| ${name} | ${ending} | ${made} |`;
}
