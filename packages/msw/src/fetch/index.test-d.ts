import { createMemoryMock as createMockForMsw } from '../index.ts';
import { createMemoryMock, type FetchMemoryMock } from './index.ts';

const mock: FetchMemoryMock = createMemoryMock({ seed: 2 });

// A mock of the root entry is assignable to a mock of this entry, but not the reverse.
export const smaller: FetchMemoryMock = createMockForMsw();
// @ts-expect-error: nothing here is for MSW
mock.handlers;
