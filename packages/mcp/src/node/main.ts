#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' };
import { help } from './help.ts';
import { runProgram } from './run-program.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(help);
else if (args.includes('--version')) process.stdout.write(`${manifest.version}\n`);
else await runProgram(args);
