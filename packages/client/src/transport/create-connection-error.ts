import { ConnectionError } from '../errors/errors.ts';
import { type ConnectionFault, classifyFault } from '../policy/failure-policy.ts';
import { type Call, errorContext, failureMessage, secretsOf, shownHost } from './call.ts';
import { causeChain, faultCode } from './cause-chain.ts';
import { proxyHint } from './proxy-hint.ts';
import type { ResponseHead } from './response-head.ts';
import { safeCause } from './safe-cause.ts';

/** Creates the error for a fault of the network or of the `fetch` option. */
export function createConnectionError(call: Call, head: ResponseHead | undefined, fault: unknown): ConnectionError {
  const cause = safeCause(fault, secretsOf(call));
  const code = faultCode(cause);
  const described = classifyFault(causeChain(cause), head !== undefined);
  const { reason, proxyStatus } = described;
  const host = shownHost(call);
  const failed =
    reason === 'proxy'
      ? `a proxy refused the connection to ${host}`
      : `the connection to ${host} failed${head ? ' before the body was complete' : ''}`;
  // Without a code, the message of a fetch option can show a mistake of the program.
  const codes =
    [proxyStatus, code].filter(Boolean).join(', ') || (call.client.settings.fetch && cause?.message.slice(0, 200));
  const problem = codes && `${failed} (${codes})`;
  const message = failureMessage(call, `${problem || failed}. ${remedyFor(call, described, code)}`);
  return new ConnectionError(message, { ...errorContext(call, head), ...described, faultCode: code, cause });
}

function remedyFor(call: Call, { reason }: ConnectionFault, code = ''): string {
  if (reason === 'permission') return 'Run Deno with --allow-net for this host.';
  if (reason === 'proxy') return 'Check the proxy and its login.';
  const undiciTimeout = /^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/.exec(code)?.[1]?.toLowerCase();
  if (undiciTimeout !== undefined) return `Check the network, or raise ${undiciTimeout}Timeout of the undici Agent.`;
  const checked = `Check ${call.client.sources.baseUrl}`;
  if (reason === 'cut') return `${checked} and the network.`;
  if (call.client.settings.fetch !== undefined)
    return `${checked}, the network and any proxy, and that the fetch option accepts a Request of this runtime.`;
  return `${checked} and the network${proxyHint(call.url)}.`;
}
