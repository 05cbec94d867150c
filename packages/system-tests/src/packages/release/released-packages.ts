import { packageTable } from '@memory-read/integration-tests/architecture/package-table';
import { publishedPackages } from '../packed-packages.ts';

/** The packages that a release publishes, each after those that it depends on. */
export const releasedPackages: readonly string[] = Object.keys(packageTable).filter((name) =>
  publishedPackages.includes(name),
);
