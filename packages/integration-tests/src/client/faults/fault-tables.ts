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

/** Returns the page with the current catalogue, its last section. */
export function withCatalogue(page: string): string {
  const heading = '## Tested faults\n';
  const [written = ''] = page.split(heading);
  return `${written}${heading}\nThere are ${faults.length} faults.\n\n${catalogue.map(renderGroup).join('\n\n')}\n`;
}

function renderGroup({ title, faults, isNodeOnly }: FaultGroup): string {
  const rows = Object.entries(Object.groupBy(faults, endingOf)).map(
    ([ending, alike = []]) => `- ${ending}: ${namesOf(alike)}`,
  );
  return [`### ${title}`, '', ...(isNodeOnly ? ["With Node's `fetch`:", ''] : []), ...rows].join('\n');
}

/** Names the first faults that end alike. The catalogue has the others. */
function namesOf(alike: readonly Fault[]): string {
  const shown = alike.length > 3 ? alike.slice(0, 2) : alike;
  const sentences = shown.map(({ name }) => `${name.charAt(0).toUpperCase()}${name.slice(1)}.`);
  return [...sentences, ...(shown === alike ? [] : [`And ${alike.length - shown.length} more.`])].join(' ');
}

function endingOf({ calls, options, expected }: Fault): string {
  const { ends, attempts, error } = expected;
  const which = error?.reason ?? error?.limit;
  const ending = which === undefined ? endings[ends] : `${endings[ends]}, \`${which}\``;
  const made = calls === undefined ? `${attempts}/${1 + (options?.retries ?? 2)}` : `${attempts} in ${calls} calls`;
  return `${ending}, ${made}`;
}
