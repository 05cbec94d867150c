import { runConformance } from '@memory-read/conformance';
import { fillMock } from '@memory-read/integration-tests/parity/hosts/fill-mock';
import { accounts, gallery, runKeys } from '@memory-read/integration-tests/parity/world';
import { startMemoryMock } from '@memory-read/msw/browser';

const mock = await startMemoryMock({ baseUrl: '/api', memories: accounts[gallery] });
fillMock(mock);
const { baseUrl } = mock;
const checkMock = () => runConformance({ baseUrl, ...runKeys, media: true, profile: 'reference' });

// The test calls this function from outside the page.
Object.assign(globalThis, { checkMock });
