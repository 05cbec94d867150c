import { setupMemoryMock } from '@memory-read/msw/node';
import { clientForms } from './client-forms.mjs';
import { smoke, smokeReport } from './smoke.mjs';

const mock = setupMemoryMock();

test.each(Object.entries(clientForms))(
  'a project with Jest works with the packed packages: %s',
  async (_form, open) => {
    expect(await smoke(open)).toEqual(smokeReport);
    const { calls } = open({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, retries: 0 });
    expect(await calls.listMemories()).toHaveLength(12);
    await expect(calls.getMemory('mem_unknown')).rejects.toMatchObject({ code: 'not_found' });
  },
);
