import { runConformance } from '@memory-read/conformance';
import { fillMock } from '@memory-read/integration-tests/parity/hosts/fill-mock';
import { accounts, gallery, runKeys } from '@memory-read/integration-tests/parity/world';
import { createMemoryMock } from '@memory-read/msw';
import { setupServer } from 'msw/node';

const mock = createMemoryMock({ memories: accounts[gallery] });
fillMock(mock);
setupServer(...mock.handlers).listen();
const { baseUrl } = mock;
console.log(JSON.stringify(await runConformance({ baseUrl, ...runKeys, media: true, profile: 'reference' })));
