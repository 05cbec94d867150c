import { isMemoryApiError } from '@memory-read/client';
import { clientForms } from './client-forms.mjs';

/** Calls the client in one kind of script of a browser, and returns the results. */
export async function probeClient(form) {
  const openClient = clientForms[form];
  const own = { baseUrl: '/api', auth: 'none' };
  const key = { baseUrl: location.origin, apiKey: 'KEYSECRET_0123456789' };
  return {
    withKey: refusalOf(key),
    withKeyFunction: refusalOf({ ...key, apiKey: () => key.apiKey }),
    relativeWithKey: refusalOf({ ...key, baseUrl: '/api', dangerouslyAllowBrowser: true }),
    withoutKey: await list(own),
    withKeyAllowed: await list({ ...key, baseUrl: `${location.origin}/api`, dangerouslyAllowBrowser: true }),
    redirected: await list({ ...own, baseUrl: '/moved' }),
  };

  function refusalOf(options) {
    try {
      return String(openClient(options).client);
    } catch (error) {
      return String(error);
    }
  }

  async function list(options) {
    try {
      return (await openClient(options).calls.listMemories()).map(({ id }) => id);
    } catch (error) {
      if (!isMemoryApiError(error)) return String(error);
      const { name, status, request } = error;
      return { name, status, attempts: request?.attempts, url: request?.url };
    }
  }
}
