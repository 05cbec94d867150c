import { MemoryClient } from '@memory-read/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/index.css';

if (import.meta.env.MODE === 'mock') await (await import('./mock/start-mock.ts')).startMock();

// The key is the backend's: the page asks /api, where the backend speaks the API's own shapes.
const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App client={client} />
  </StrictMode>,
);
