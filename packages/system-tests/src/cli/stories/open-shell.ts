import { delimiter, dirname, join } from 'node:path';
import { startTerminal } from '../run-command.ts';

/** Output and exit code of a typed line. */
export interface Answer {
  code: number;
  text: string;
}

/** A shell in a pseudo-terminal, in which a test types lines. It ends with its test. */
export interface Shell {
  /** Types a line and waits for the next prompt. */
  run(line: string): Promise<Answer>;
  /** Types a line and waits for a text. Rejects if the command ends before. `leave` types the keys that end the command, and waits for the prompt. */
  start(line: string, awaited: string): Promise<{ shown: () => string; leave: (keys: string) => Promise<Answer> }>;
}

interface ShellOptions {
  /** Project with the installed packages. */
  installed: string;
  /** Home, where the shell starts. */
  home: string;
}

/** Opens bash without a configuration of its own. The installed commands are in its path. */
export async function openShell({ installed, home }: ShellOptions): Promise<Shell> {
  const path = [join(installed, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? ''];
  const terminal = startTerminal(['bash', '--norc', '--noprofile', '--noediting', '-i'], {
    columns: 200,
    cwd: home,
    env: { HOME: home, PATH: path.join(delimiter), PS1: '[$? \\#]$ ', MEMORY_READ_PAGER: '', NO_COLOR: '1' },
  });
  let typed = 1;
  let end = 0;
  const answer = async (): Promise<Answer> => {
    typed += 1;
    await terminal.until(` ${typed}]$ `);
    const shown = terminal.shown();
    const [text = '', code] = shown.slice(end).split(new RegExp(`\\[(\\d+) ${typed}\\]\\$ $`));
    end = shown.length;
    return { code: Number(code), text: text.slice(text.indexOf('\n') + 1) };
  };
  await terminal.until(' 1]$ ');
  end = terminal.shown().length;
  return {
    run(line) {
      terminal.type(`${line}\r`);
      return answer();
    },
    async start(line, awaited) {
      terminal.type(`${line}\r`);
      const ended = terminal.until(` ${typed + 1}]$ `).then(() => {
        throw new Error(`Failed to see ${JSON.stringify(awaited)}: the command ended.\n${terminal.shown().slice(end)}`);
      });
      await Promise.race([terminal.until(awaited, ` ${typed}]$ `), ended]);
      return {
        shown: () => terminal.shown().slice(end),
        leave(keys) {
          terminal.type(keys);
          return answer();
        },
      };
    },
  };
}
