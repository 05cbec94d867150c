import type { TestProject } from 'vitest/node';
import { startPostgres } from './start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the PostgreSQL server that lives as long as the run. */
    postgresUrl: string;
  }
}

/** One server for all test files; each case makes a schema of its own. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  provide('postgresUrl', server.url);
  return server.stop;
}
