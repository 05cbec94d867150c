import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { MemoryList, MemoryPage } from './frontend-query.tsx';

const memoryId = new URLSearchParams(location.search).get('memory');
const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      {memoryId ? <MemoryPage memoryId={memoryId} /> : <MemoryList />}
    </QueryClientProvider>,
  );
