import { drive } from './drive.ts';

// For Node, Bun and Deno: the only argument is the input, and the last line of standard output is the report.
console.log(JSON.stringify(await drive(JSON.parse(process.argv[2] ?? ''))));
