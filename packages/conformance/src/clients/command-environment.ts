/**
 * Returns the environment of a judged command: that of the caller without settings of another API and without proxies,
 * and the variables of the run.
 */
export function commandEnvironment(caller: NodeJS.ProcessEnv, own: Record<string, string>): NodeJS.ProcessEnv {
  const passed = Object.entries(caller).filter(([name]) => !/^MEMORY_|_PROXY$/i.test(name));
  return { ...Object.fromEntries(passed), ...own };
}
