// Shows an installation as one line on standard error, and keeps the installer's own output in a file.
import { mkdirSync, writeFileSync } from 'node:fs';

const isRedrawn = process.stderr.isTTY && process.env.TERM !== 'dumb';
const updateMs = isRedrawn ? 1000 : 30_000;
// A line that wraps could not be drawn over. A terminal that does not know its width has 0 columns.
const title = (process.stderr.columns || 80) < 60 ? 'Installing packages …' : 'Installing packages, only this once …';

/** `add` takes what the installer prints, `end` why it failed, if it did. Standard output belongs to the command that follows. */
export function showInstallProgress(log) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  let output = '';
  let shown = '';
  const show = (text) => {
    process.stderr.write(isRedrawn ? `\r${text.padEnd(shown.length)}` : `${text}\n`);
    shown = text;
  };
  show(title);
  const update = () => show(`${title}${countPackages(output)} ${seconds()} s`);
  const timer = setInterval(update, updateMs);
  return {
    add: (text) => {
      output += text;
    },
    end(problem) {
      clearInterval(timer);
      if (isRedrawn) {
        // The last packages can arrive between two updates.
        update();
        process.stderr.write('\n');
      }
      mkdirSync(new URL('.', log), { recursive: true });
      writeFileSync(log, output);
      if (!problem) return console.error(`Installed in ${seconds()} s.`);
      if (output) console.error(output.trimEnd().split('\n').slice(-20).join('\n'));
      console.error(`Failed to install: ${problem}`);
    },
  };
}

/** Returns the newest numbers of the installer, once it has any. */
function countPackages(output) {
  const counts = [...output.matchAll(/resolved (\d+), reused (\d+), downloaded (\d+)/g)].at(-1);
  if (!counts) return '';
  const [resolved, reused, downloaded] = counts.slice(1).map(Number);
  return ` ${reused + downloaded} of ${resolved},`;
}
