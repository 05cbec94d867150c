import { environment } from './runtimes.ts';

/** Of a runtime without an environment. */
export const noBaseUrl =
  'ConfigurationError: Failed to create the client: because it has no base URL. Pass baseUrl or set MEMORY_API_URL.';
/** Of a runtime that has one: its base URL and its key are there. */
export const clientOfEnvironment = { baseUrl: environment.MEMORY_API_URL, auth: 'bearer' };
/** What the first hour with client and server has to come to, on every runtime. */
export const smoke = {
  listed: ['mem_2', 'mem_1'],
  segments: 1,
  responseInfo: [200, 1, 'string', true],
  bare: [200, 2],
  withXApiKey: 2,
  missing: ['MemoryNotFoundError', 'not_found'],
  wrongKey: ['AuthenticationError', 'authentication'],
  noId: ['ConfigurationError', 'configuration'],
  validation: ['invalid_response structure', 7, 7],
  drift: [['wrong_type name', 'date_time_format started_at']],
  otherCopy: [true, false, 'MemoryNotFoundError'],
  ownOfOtherCopy: true,
  badKey:
    'ConfigurationError: Failed to use the API key: because it holds white space, a line break or a character beyond visible ASCII. Pass it exactly as the account settings show it.',
  badKeyLeaks: [],
};
