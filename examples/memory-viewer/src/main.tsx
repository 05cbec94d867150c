import { MemoryClient } from '@memory-read/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/index.css';

if (import.meta.env.MODE === 'mock') await (await import('./mock/start-mock.ts')).startMock();

// The page needs no API key: the backend at /api adds it and returns the responses of the API.
const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App client={client} />
  </StrictMode>,
);
