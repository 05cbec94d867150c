/**
 * The mock in a page: development, Storybook, tests in a browser.
 *
 * @packageDocumentation
 */
export { type BrowserMemoryMock, type StartMemoryMockOptions, startMemoryMock } from './start-memory-mock.ts';
