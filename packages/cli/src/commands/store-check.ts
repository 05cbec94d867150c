import type { Command } from 'commander';
import { postgresOption } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { jsonOption } from '../terminal/output-options.ts';

export function define(command: Command, { env }: CliProcess): void {
  command
    .addOption(postgresOption('PostgreSQL database to check', env).makeOptionMandatory())
    .addOption(jsonOption())
    .addHelpText('after', help)
    .action(async (options) => (await import('../storage/run-store-check.ts')).runStoreCheck(options));
}

const help = `
Checks every rule of a store that serve relies on, one after the other, each in
a schema memory_read_check_… that is dropped afterwards. No other schema is read
or changed. The user must be allowed to create schemas. A rule that takes longer
than 30 s is broken. What --postgres-reads needs is not checked.
Ends with 0 only if every rule holds.

Lines of JSON: {"event":"case","suite":…,"title":…,"holds":…,"elapsedMs":…} with
"error" if the rule is broken, and at the end
{"event":"checked","server":…,"total":…,"held":…}.

Example:
  memory-read store-check --postgres env:DATABASE_URL`;
