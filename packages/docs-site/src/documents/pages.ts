import { globSync } from 'node:fs';
import { root } from '../folders.ts';

/** Pages that form a group in the navigation. */
export interface PageGroup {
  title: string;
  /** Paths from the root of the repository, in their order. A pattern matches the paths that no other entry names. */
  pages: readonly string[];
  /** Whether the navigation shows the pages only on pages of this group. */
  isFolded?: boolean | undefined;
  /** Factor of their scores in the search. Default: 1. */
  boost?: number | undefined;
}

/** The group of guides that no other group names. */
export const unlisted = 'More guides';

const groups: readonly PageGroup[] = [
  { title: 'Start', boost: 3, pages: ['docs/guides/getting-started.md', 'docs/glossary.md', 'docs/versioning.md'] },
  {
    title: 'Read memories',
    boost: 3,
    pages: [
      'docs/guides/wait-for-a-memory.md',
      'docs/guides/when-a-recording-is-ready.md',
      'docs/guides/events.md',
      'docs/guides/watch-an-account.md',
      'docs/guides/resume-a-watch.md',
      'docs/guides/scheduled-jobs.md',
      'docs/guides/errors.md',
      'docs/guides/retries-and-timeouts.md',
      'docs/guides/media.md',
      'docs/guides/downloads.md',
      'docs/guides/transcripts.md',
      'docs/guides/tracing.md',
      'docs/guides/proxies-and-connections.md',
      'docs/guides/runtimes.md',
    ],
  },
  {
    title: 'Show memories',
    boost: 3,
    pages: [
      'docs/guides/frontends.md',
      'docs/guides/playback.md',
      'docs/guides/queries.md',
      'docs/guides/nextjs.md',
      'docs/guides/send-media.md',
      'docs/guides/answer-visitors.md',
    ],
  },
  {
    title: 'Test your app',
    boost: 3,
    pages: [
      'docs/guides/testing-with-msw.md',
      'docs/guides/test-runners.md',
      'docs/guides/test-your-page.md',
      'docs/guides/testing-in-a-page.md',
      'docs/guides/mock-server.md',
      'docs/guides/test-from-python.md',
      'docs/guides/playwright-with-a-backend.md',
    ],
  },
  {
    title: 'Search and keep',
    boost: 3,
    pages: [
      'docs/guides/search.md',
      'docs/guides/command-line.md',
      'docs/guides/mirroring.md',
      'docs/guides/naming-speakers.md',
      'docs/guides/notes-and-files.md',
      'docs/guides/history-and-removal.md',
    ],
  },
  {
    title: 'Assistants',
    boost: 3,
    pages: ['docs/guides/assistants.md', 'docs/guides/receipts.md', 'docs/guides/assistants-over-http.md'],
  },
  {
    title: 'Run a server',
    boost: 2,
    pages: [
      'docs/guides/running-the-server.md',
      'docs/guides/keys-and-secrets.md',
      'docs/guides/postgresql.md',
      'docs/guides/deployment.md',
      'docs/guides/proxy-in-front.md',
      'docs/guides/monitor-the-server.md',
      'docs/guides/backups.md',
      'docs/guides/upgrade-the-server.md',
      'docs/guides/scaling.md',
      'docs/guides/read-from-replicas.md',
      'docs/guides/embed-the-server.md',
      'docs/guides/your-own-database.md',
    ],
  },
  {
    title: 'Implement the API',
    boost: 3,
    pages: [
      'docs/specification.md',
      'docs/guides/check-a-server.md',
      'docs/conformance-results.md',
      'docs/guides/openapi-and-other-languages.md',
      'docs/guides/judge-a-client.md',
      'docs/client-results.md',
    ],
  },
  { title: unlisted, boost: 3, pages: ['docs/guides/*.md'] },
  {
    title: 'Reference',
    isFolded: true,
    pages: ['docs/reference/*.md', 'packages/cli/README.md', 'docs/benchmarks.md', 'SECURITY.md', 'docs/*.md'],
  },
  { title: 'Examples', isFolded: true, pages: ['examples/*/README.md'] },
  { title: 'Decisions', isFolded: true, boost: 0.4, pages: ['docs/decisions/README.md', 'docs/decisions/*.md'] },
  { title: 'This repository', isFolded: true, boost: 0.3, pages: ['ARCHITECTURE.md', 'CONTRIBUTING.md'] },
];

/** Returns the groups with the existing pages. A pattern adds new documents to its group. */
export function pageGroups(): PageGroup[] {
  const named = new Set(groups.flatMap(({ pages }) => pages));
  return groups
    .map((group) => ({ ...group, pages: group.pages.flatMap((pattern) => pagesOf(pattern, named)) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Returns the listed paths that do not exist. */
export function missingPages(): string[] {
  const found = new Set(pageGroups().flatMap(({ pages }) => pages));
  return groups.flatMap(({ pages }) => pages).filter((path) => !path.includes('*') && !found.has(path));
}

function pagesOf(pattern: string, named: ReadonlySet<string>): string[] {
  const found = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).sort();
  return found.filter((path) => path === pattern || !named.has(path));
}
