import { CommandError, exitCodes } from '../terminal/command-error.ts';

/** Returns the functions of the optional package. */
export async function loadTools() {
  try {
    const [{ createLiveSource, createMirrorSource }, { serveMcpStdio }] = await Promise.all([
      import('@memory-read/mcp'),
      import('@memory-read/mcp/node'),
    ]);
    return { createLiveSource, createMirrorSource, serveMcpStdio };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const problem =
      '@memory-read/mcp is not installed. Install it in the same way as @memory-read/cli: with npm install, npm install --global, or npx -p @memory-read/cli -p @memory-read/mcp memory-read mcp.';
    throw new CommandError(exitCodes.usage, `Failed to start the tools: ${problem}`, { cause });
  }
}
