#!/usr/bin/env node
import { logToStandardError } from './log-to-standard-error.ts';
import { runProgram } from './run-program.ts';

logToStandardError();
await runProgram(process);
