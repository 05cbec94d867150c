import { Argument, type Command } from 'commander';
import { bashCompletion } from '../completion/bash-completion.ts';
import { completionEntries } from '../completion/completion-entries.ts';
import { fishCompletion } from '../completion/fish-completion.ts';
import { zshCompletion } from '../completion/zsh-completion.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { print } from '../terminal/print.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function define(command: Command, process: CliProcess, loadProgram: () => Promise<Command>): void {
  command
    .addArgument(new Argument('<shell>', 'shell that the script is for').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: keyof typeof scripts) => {
      await print(process, scripts[shell](completionEntries(await loadProgram())));
    });
}

const help = `
Load the script when the shell starts. It sends no request.

Examples:
  echo 'source <(memory-read completion bash)' >> ~/.bashrc
  echo 'source <(memory-read completion zsh)' >> ~/.zshrc
  memory-read completion fish > ~/.config/fish/completions/memory-read.fish`;
