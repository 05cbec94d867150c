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
  load: () => Promise<DefineCommand>;
}

const connecting = 'Log in:';
const reading = 'Read memories:';
const serving = 'Serve memories:';
/** Group of commands about other commands. */
export const around = 'Around them:';

export const commandTable: readonly CommandRow[] = [
  {
    name: 'login',
    summary: 'Save the server and the API key for all commands.',
    group: connecting,
    load: async () => (await import('./login.ts')).defineLogin,
  },
  {
    name: 'logout',
    summary: 'Remove a saved server and its API key.',
    group: connecting,
    load: async () => (await import('./logout.ts')).defineLogout,
  },
  {
    name: 'whoami',
    summary: 'Show the server, the account and where the key comes from.',
    group: connecting,
    load: async () => (await import('./whoami.ts')).defineWhoami,
  },
  {
    name: 'list',
    summary: 'List the memories of the account, newest first.',
    group: reading,
    load: async () => (await import('./list.ts')).defineList,
  },
  {
    name: 'get',
    summary: 'Show one memory with its summary and transcript.',
    group: reading,
    load: async () => (await import('./get.ts')).defineGet,
  },
  {
    name: 'wait',
    summary: 'Wait until memories are processed.',
    group: reading,
    load: async () => (await import('./wait.ts')).defineWait,
  },
  {
    name: 'watch',
    summary: 'Print changes as they happen.',
    group: reading,
    load: async () => (await import('./watch.ts')).defineWatch,
  },
  {
    name: 'digest',
    summary: 'Write the summaries of a week, or of another range, on one page.',
    group: reading,
    load: async () => (await import('./digest.ts')).defineDigest,
  },
  {
    name: 'download',
    summary: 'Save media of one memory, or of all.',
    group: reading,
    load: async () => (await import('./download.ts')).defineDownload,
  },
  {
    name: 'export',
    summary: 'Write one memory, or all, as subtitles, text, Markdown or JSON.',
    group: reading,
    load: async () => (await import('./export.ts')).defineExport,
  },
  {
    name: 'mirror',
    summary: 'Keep a complete, searchable copy in a folder.',
    group: reading,
    load: async () => (await import('./mirror.ts')).defineMirror,
  },
  {
    name: 'search',
    summary: 'Search the words of the copy, without a network.',
    group: reading,
    load: async () => (await import('./search.ts')).defineSearch,
  },
  {
    name: 'open',
    summary: 'Open the copy in the browser.',
    group: reading,
    load: async () => (await import('./open.ts')).defineOpen,
  },
  {
    name: 'history',
    summary: 'Show the changes of a memory of the copy.',
    group: reading,
    load: async () => (await import('./history.ts')).defineHistory,
  },
  {
    name: 'purge',
    summary: 'Remove a memory from the copy for good.',
    group: reading,
    load: async () => (await import('./purge.ts')).definePurge,
  },
  {
    name: 'serve',
    summary: 'Serve the API, the media and the API reference page.',
    group: serving,
    load: async () => (await import('./serve.ts')).defineServe,
  },
  {
    name: 'import',
    summary: 'Store a file of memories: all of them or none.',
    group: serving,
    load: async () => (await import('./import.ts')).defineImport,
  },
  {
    name: 'finish',
    summary: 'Set the transcript and summary of a memory, and mark it as processed.',
    group: serving,
    load: async () => (await import('./finish.ts')).defineFinish,
  },
  {
    name: 'keys',
    summary: 'Create, list and revoke API keys.',
    group: serving,
    load: async () => (await import('./keys.ts')).defineKeys,
  },
  {
    name: 'verify',
    summary: 'Check a server against every rule of the specification. Reads only.',
    group: around,
    load: async () => (await import('./verify.ts')).defineVerify,
  },
  {
    name: 'mcp',
    summary: 'Serve the memories to an assistant, over standard input and output.',
    group: around,
    load: async () => (await import('./mcp.ts')).defineMcp,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands and options in a shell.',
    group: around,
    load: async () => (await import('./completion.ts')).defineCompletion,
  },
];
