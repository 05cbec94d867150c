import type { Command } from 'commander';
import type { CliProcess } from '../terminal/cli-process.ts';

/**
 * Adds arguments, options and the action to a command. `loadProgram` returns the program with all commands complete.
 */
export type DefineCommand = (command: Command, process: CliProcess, loadProgram: () => Promise<Command>) => void;

/** Entry of a command in the help of `memory-read`. Its code is loaded only if the command is named. */
export interface CommandRow {
  name: string;
  summary: string;
  group: string;
  load: () => Promise<{ define: DefineCommand }>;
}

/** Group of commands about other commands. */
export const around = 'Around them:';

const groups: Record<string, Record<string, [summary: string, load: CommandRow['load']]>> = {
  'Log in:': {
    login: ['Save the server and the API key for all commands.', () => import('./login.ts')],
    logout: ['Remove a saved server and its API key.', () => import('./logout.ts')],
    whoami: ['Show the server, the account and where the key comes from.', () => import('./whoami.ts')],
  },
  'Read memories:': {
    list: ['List the memories of the account, newest first.', () => import('./list.ts')],
    get: ['Show one memory with its summary and transcript.', () => import('./get.ts')],
    wait: ['Wait until memories are processed.', () => import('./wait.ts')],
    watch: ['Print changes as they happen.', () => import('./watch.ts')],
    digest: ['Write the summaries of a week, or of another range, on one page.', () => import('./digest.ts')],
    download: ['Save media of one memory, or of all.', () => import('./download.ts')],
    export: ['Write one memory, or all, as subtitles, text, Markdown or JSON.', () => import('./export.ts')],
    mirror: ['Keep a complete, searchable copy in a folder.', () => import('./mirror.ts')],
    search: ['Search the words of the copy, without a network.', () => import('./search.ts')],
    open: ['Open the copy in the browser.', () => import('./open.ts')],
    history: ['Show the changes of a memory of the copy.', () => import('./history.ts')],
    events: ['List the events of the copy; see, replay and resume their deliveries.', () => import('./events.ts')],
    purge: ['Remove a memory from the copy for good.', () => import('./purge.ts')],
  },
  'Name speakers:': {
    name: ['Show who speaks in a memory of the copy, and name them.', () => import('./name.ts')],
    people: ['List, rename, merge and forget people; export and import names.', () => import('./people.ts')],
  },
  'Serve memories:': {
    serve: ['Serve the API, the media and the API reference page.', () => import('./serve.ts')],
    mock: ['Serve a mock with made-up memories, faults and a control API.', () => import('./mock.ts')],
    import: ['Store a file of memories: all of them or none.', () => import('./import.ts')],
    finish: ['Set the transcript and summary of a memory, and mark it as processed.', () => import('./finish.ts')],
    keys: ['Create, list and revoke API keys.', () => import('./keys.ts')],
    'store-check': [
      'Check a PostgreSQL database, or one like it, against every rule.',
      () => import('./store-check.ts'),
    ],
  },
  [around]: {
    verify: ['Check a server against every rule of the specification. Reads only.', () => import('./verify.ts')],
    judge: ['Judge a client in any language: run it against a server with faults.', () => import('./judge.ts')],
    mcp: ['Serve the memories to an assistant, over standard input and output.', () => import('./mcp.ts')],
    completion: ['Print a script that completes commands and options in a shell.', () => import('./completion.ts')],
  },
};

export const commandTable: readonly CommandRow[] = Object.entries(groups).flatMap(([group, commands]) =>
  Object.entries(commands).map(([name, [summary, load]]) => ({ name, summary, group, load })),
);
