import { globSync } from 'node:fs';
import { root } from './folders.ts';

/** Pages that form a group in the navigation. */
export interface PageGroup {
  title: string;
  /** Paths from the root of the repository, in their order. A pattern matches the paths that no other entry names. */
  pages: readonly string[];
  /** Pages that the navigation shows below one of these. */
  below?: Record<string, readonly string[]> | undefined;
  /** Factor of their scores in the search. Default: 1. */
  boost?: number | undefined;
}

const order: readonly PageGroup[] = [
  {
    title: 'Start',
    boost: 3,
    pages: ['docs/guides/getting-started.md', 'docs/glossary.md'],
  },
  {
    title: 'Using the client',
    boost: 3,
    pages: [
      'docs/guides/client-guarantees.md',
      'docs/guides/errors-and-faults.md',
      'docs/guides/retries-and-timeouts.md',
      'docs/guides/media.md',
      'docs/guides/frontends.md',
      'docs/guides/waiting-and-watching.md',
      'docs/guides/transcripts.md',
      'docs/guides/search.md',
      'docs/guides/mirroring.md',
      'docs/guides/assistants.md',
      'docs/guides/proxies-and-connections.md',
      'docs/guides/tracing.md',
      'docs/guides/runtimes.md',
    ],
  },
  { title: 'Testing your app', boost: 3, pages: ['docs/guides/testing-with-msw.md', 'docs/guides/edge-cases.md'] },
  { title: 'From a shell', boost: 3, pages: ['docs/guides/command-line.md'] },
  {
    title: 'Running the server',
    boost: 3,
    pages: [
      'docs/guides/running-the-server.md',
      'docs/guides/deployment.md',
      'docs/guides/operations.md',
      'docs/guides/scaling.md',
      'docs/guides/distributed-databases.md',
      'docs/guides/your-own-database.md',
      'docs/guides/conformance.md',
      'docs/guides/openapi-and-other-languages.md',
      'docs/conformance-results.md',
    ],
  },
  { title: 'Examples', pages: ['examples/*/README.md'] },
  { title: 'More guides', pages: ['docs/guides/*.md', 'docs/*.md'] },
  {
    title: 'About',
    pages: ['docs/benchmarks.md', 'docs/versioning.md', 'SECURITY.md', 'docs/attacks.md'],
  },
  {
    title: 'Specification',
    boost: 0.5,
    pages: ['docs/specification.md', 'docs/decisions/README.md'],
    below: { 'docs/decisions/README.md': ['docs/decisions/*.md'] },
  },
  { title: 'This repository', boost: 0.3, pages: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'packages/cli/README.md'] },
];

/** Returns the groups with the existing pages. A pattern adds new documents to its group. */
export function pageGroups(): PageGroup[] {
  const named = new Set(order.flatMap(({ pages }) => pages));
  const find = (patterns: readonly string[]) =>
    patterns.flatMap((pattern) =>
      globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] })
        .sort()
        .filter((path) => path === pattern || !named.has(path)),
    );
  return order
    .map(({ pages, below = {}, ...group }) => ({
      ...group,
      pages: find(pages),
      below: Object.fromEntries(Object.entries(below).map(([page, patterns]) => [page, find(patterns)])),
    }))
    .filter(({ pages }) => pages.length > 0);
}
