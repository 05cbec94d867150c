import { drive } from './drive.ts';

// Node, Bun and Deno: the input is the only argument, the report the last line of standard output.
const report = await drive(JSON.parse(process.argv[2] ?? ''), await import('./second-copy.mjs' as string));
console.log(JSON.stringify(report));
