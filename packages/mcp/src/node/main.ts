#!/usr/bin/env node
// Every version of Node parses this file, so it uses only syntax of Node 14. What is imported takes time, so it is imported
// after the first statements.
import { beginProgram } from '@memory-read/contract/program';

if (beginProgram(process, 'memory-read-mcp', [22, 13])) {
  void import('./log-to-standard-error.ts')
    .then(({ logToStandardError }) => logToStandardError())
    .then(() => import('./run-program.ts'))
    .then(({ runProgram }) => runProgram(process));
}
