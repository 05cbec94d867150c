import { catalogue, faults } from './catalogue/catalogue.ts';
import type { Expectation, Fault, FaultGroup } from './fault.ts';

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

/** Returns the guide with the current catalogue, its last section. */
export function withCatalogue(guide: string): string {
  const heading = '## Every tested fault\n';
  const [written = ''] = guide.split(heading);
  return `${written}${heading}\n${introduction} There are ${faults.length}.\n\n${catalogue.map(renderGroup).join('\n\n')}\n`;
}

const introduction = `A test server produces each fault on a real connection. The column "Attempts" has the number of attempts that the client
made, and the number that the options of the call allow. The faults are data in
\`packages/integration-tests/src/client/faults/catalogue\`, and a program writes these tables from them.`;

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
