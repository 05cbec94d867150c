import { ConnectionError } from '../errors/connection-error.ts';
import { type ConnectionFault, classifyFault } from '../policy/failure-policy.ts';
import { type Call, errorContext, failureMessage, redactText } from './call.ts';
import { UnreadableResponse } from './response-body.ts';
import type { ResponseHead } from './response-head.ts';
import { causeChain, faultCode, safeCause } from './safe-cause.ts';

/** Creates the error for a fault of the network or of the `fetch` option. */
export function connectionError(call: Call, head: ResponseHead | undefined, fault: unknown): ConnectionError {
  const cause = safeCause(fault, call.apiKeys);
  const code = faultCode(cause);
  const described = classifyFault(causeChain(cause), head !== undefined);
  const { host } = new URL(call.url);
  const problem = `the connection to ${redactText(call, host)} failed${head ? ' before the body was complete' : ''}`;
  const message =
    fault instanceof UnreadableResponse
      ? failureMessage(call, fault.problem, fault.remedy)
      : failureMessage(call, code === undefined ? problem : `${problem} (${code})`, remedyFor(call, described, code));
  return new ConnectionError(message, { ...errorContext(call, head?.requestId), ...described, faultCode: code, cause });
}

function remedyFor({ settings }: Call, { reason }: ConnectionFault, code = ''): string {
  if (reason === 'permission') return 'Run Deno with --allow-net for this host.';
  const undiciTimeout = /^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/.exec(code)?.[1]?.toLowerCase();
  if (undiciTimeout !== undefined) return `Check the network, or raise ${undiciTimeout}Timeout of the undici Agent.`;
  if (settings.fetch === undefined || reason === 'cut') return 'Check the base URL and the network.';
  return 'Check the base URL, the network and any proxy, and that the fetch option accepts a Request of this runtime.';
}
