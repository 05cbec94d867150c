import { MemoryClient } from '@memory-read/client';
import type { Meta, StoryObj } from '@storybook/html-vite';
import { mock } from './msw-storybook-mock.page.ts';

const meta: Meta = {
  title: 'Memories',
  // Storybook calls the returned function when you leave the story.
  beforeEach: () => () => mock.reset(),
  render() {
    const list = document.createElement('ul');
    void showMemories(list);
    return list;
  },
};
export default meta;

export const Some: StoryObj = {
  beforeEach: () => void mock.memories.add({ name: 'Stand-up' }),
};

export const Failed: StoryObj = {
  beforeEach: () => void mock.faults.always({ status: 503 }),
};

async function showMemories(list: HTMLElement): Promise<void> {
  const client = new MemoryClient({ baseUrl: '/api', auth: 'none', retries: 0 });
  const names = await client.listMemories().then(
    (memories) => memories.map(({ name }) => name),
    () => ['Try again later'],
  );
  list.replaceChildren(...names.map((name) => Object.assign(document.createElement('li'), { textContent: name })));
}
