/** What a package may depend on at run time: the rows of the picture in ARCHITECTURE.md. */
export interface PackageRow {
  /** Packages of this repository. */
  packages: readonly string[];
  /** Packages of others. */
  others: readonly string[];
}

/** An arrow points to the imported package. Only packages that are listed here may be imported. */
export const packageTable: Record<string, PackageRow> = {
  contract: { packages: [], others: [] },
  client: { packages: ['contract'], others: ['ky'] },
  server: { packages: ['contract'], others: ['@hono/node-server', '@noble/hashes', 'hono'] },
  fixtures: { packages: ['contract'], others: [] },
  msw: { packages: ['contract', 'fixtures', 'server'], others: ['msw'] },
  conformance: { packages: ['contract', 'msw'], others: [] },
  mirror: { packages: ['client', 'contract'], others: [] },
  mcp: {
    packages: ['client', 'contract', 'mirror'],
    others: ['@modelcontextprotocol/server', '@noble/hashes', 'lru-cache'],
  },
  cli: {
    packages: ['client', 'conformance', 'contract', 'fixtures', 'mcp', 'mirror', 'msw', 'server'],
    others: ['commander', 'pg', 'prom-client', 'string-width'],
  },
};

/** Bundled into the built package, so they are not dependencies of it. */
export const bundled: Record<string, readonly string[]> = {
  contract: ['@standard-schema/spec', 'zod'],
};

/** Folders below `packages` that may import modules of one platform. */
export const importFences = [
  {
    what: 'ky',
    pattern: /^ky$/,
    allowed: /^client\/src\/transport\/attempt\.ts$/,
    instead: 'Call sendAttempt of client/src/transport/attempt.ts instead.',
  },
  {
    what: 'Node built-ins',
    pattern: /^node:/,
    allowed:
      /^(client\/src\/node|conformance\/src\/clients|mcp\/src\/node|msw\/src\/(node|server)|server\/src\/adapters\/(node|sqlite)|cli|mirror|benchmarks|integration-tests|system-tests|test-kit|docs-site)\//,
    instead: 'Pass in what is needed through a port, or move the code to adapters/ or a /node entry.',
  },
  {
    what: 'SQLite of a mirror',
    pattern: /^node:sqlite$/,
    allowed: /^(?!mirror\/)|^mirror\/src\/database\//,
    instead: 'Take an open database, and import its type only.',
  },
] as const;

/** The picture as Mermaid. */
function renderPicture(): string {
  const arrows = Object.entries(packageTable).flatMap(([name, { packages, others }]) => [
    ...packages.map((target) => `  ${name} --> ${target}`),
    ...others.map((target) => `  ${name} -.-> ${nodeOf(target)}(["${target}"])`),
  ]);
  return ['```mermaid', 'flowchart BT', ...arrows, '```'].join('\n');
}

/** Returns ARCHITECTURE.md with the current picture. */
export function withPicture(text: string): string {
  return text.replace(/```mermaid\n.*?```/s, () => renderPicture());
}

/** Names that Mermaid accepts and that are not names of our own packages. */
function nodeOf(target: string): string {
  const name = target.replace('@', '').replaceAll('/', '_');
  return Object.hasOwn(packageTable, name) ? `npm_${name}` : name;
}
