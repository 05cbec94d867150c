/** Prints what a command found: text for people on a terminal, one line of JSON for programs. */
export function printResult(result: { json: unknown; text: string }, options: { json?: boolean | undefined }): void {
  process.stdout.write(`${isForPeople(options) ? result.text : JSON.stringify(result.json)}\n`);
}

/** Whether standard output is read by people: a terminal, unless `--json` is given. */
export function isForPeople({ json }: { json?: boolean | undefined } = {}): boolean {
  return process.stdout.isTTY === true && json !== true;
}
