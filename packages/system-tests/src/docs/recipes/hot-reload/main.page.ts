import { mock } from '../storybook/msw-storybook-mock.page.ts';

// Like a component of a framework, this module takes the new state of what it imports.
import.meta.hot?.accept();

const { id } = mock.memories.add();
const response = await fetch(`/api/v1/memories/${id}`);
document.body.append(`${response.status} `);
