import { createMemoryMock as createMockForMsw } from '../index.ts';
import { createMemoryMock, type FetchMemoryMock } from './index.ts';

const mock: FetchMemoryMock = createMemoryMock({ seed: 2 });

// The mock of the root entry fits where the smaller one is asked for, and not the other way round.
export const smaller: FetchMemoryMock = createMockForMsw();
// @ts-expect-error: nothing here is for MSW
mock.handlers;
