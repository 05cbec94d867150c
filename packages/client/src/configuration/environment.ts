interface EnvironmentScope {
  readonly process?: { readonly env?: Record<string, string | undefined> };
}

/** Returns an environment variable; undefined if it is empty or the runtime has none. */
export function readEnvironment(name: string): string | undefined {
  try {
    return (globalThis as EnvironmentScope).process?.env?.[name] || undefined;
  } catch {
    // Deno throws if it lacks the permission.
    return undefined;
  }
}
