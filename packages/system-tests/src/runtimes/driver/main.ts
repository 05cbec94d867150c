import { drive } from './drive.ts';

// For Node, Bun and Deno: the only argument is the input, and the last line of standard output is the report.
const report = await drive(JSON.parse(process.argv[2] ?? ''), await import('./second-copy.mjs' as string));
console.log(JSON.stringify(report));
