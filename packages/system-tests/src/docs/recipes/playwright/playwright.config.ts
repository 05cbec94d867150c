import { defineConfig } from '@playwright/test';

const env = { MEMORY_API_URL: 'http://127.0.0.1:8790', MEMORY_API_KEY: 'key-of-the-tests', PORT: '3000' };
const mock = 'npx @memory-read/cli mock --port 8790 --control-port 8791 --api-key env:MEMORY_API_KEY';

export default defineConfig({
  workers: 1, // one backend has one space
  use: { baseURL: 'http://127.0.0.1:3000' },
  webServer: [
    { command: mock, env, url: 'http://127.0.0.1:8791/healthz' },
    { command: 'npm start', env, url: 'http://127.0.0.1:3000' },
  ],
});
