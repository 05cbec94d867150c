import { startMemoryMock } from '@memory-read/msw/browser';
import { clientForms } from './client-forms.mjs';
import { smoke } from './smoke.mjs';

export { probeClient } from './client-probe.mjs';

export async function smokeBehindWorker(form) {
  const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
  const response = await fetch('/api/v1/memories');
  const behindWorker = (await response.json()).length;
  await mock.close();
  return { ...(await smoke(clientForms[form])), behindWorker };
}
