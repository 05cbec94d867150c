if (import.meta.env.DEV) {
  const { startMemoryMock } = await import('@memory-read/msw/browser');
  const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
  mock.memories.addProcessing({ id: 'mem_interview', name: 'Interview' }, { finishAfter: 15_000 });
}
