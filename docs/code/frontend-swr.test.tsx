// @vitest-environment jsdom
import { setupMemoryMock } from '@memory-read/msw/node';
import { findByRole } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { SWRConfig } from 'swr';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MemoryNames, MemoryTitle } from './frontend-swr.tsx';

const mock = setupMemoryMock({
  baseUrl: '/api',
  auth: 'none',
  memories: [],
  hooks: { beforeAll, afterEach, afterAll },
});

/** Renders a component with an empty cache, and removes it after the test. */
function show(component: ReactNode): void {
  const root = createRoot(document.body);
  root.render(<SWRConfig value={{ provider: () => new Map() }}>{component}</SWRConfig>);
  onTestFinished(() => root.unmount());
}

test('shows the name of the memory', async () => {
  const { id } = mock.memories.add({ name: 'Stand-up' });
  show(<MemoryTitle memoryId={id} />);
  expect((await findByRole(document.body, 'heading')).textContent).toBe('Stand-up');
});

test('says that a memory does not exist', async () => {
  show(<MemoryTitle memoryId="mem_none" />);
  expect((await findByRole(document.body, 'alert')).textContent).toBe('This memory does not exist.');
});

test('says that the API fails', async () => {
  mock.faults.always({ status: 503 });
  show(<MemoryTitle memoryId="mem_1" />);
  // The alert follows two retries, which take 0.9 seconds at most.
  const alert = await findByRole(document.body, 'alert', {}, { timeout: 4_000 });
  expect(alert.textContent).toBe('The memory cannot be read. Try again later.');
});

test('shows the names of the list', async () => {
  mock.memories.add({ name: 'Stand-up' });
  show(<MemoryNames />);
  expect((await findByRole(document.body, 'paragraph')).textContent).toBe('Stand-up');
});
