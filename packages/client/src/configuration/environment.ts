interface EnvironmentScope {
  readonly process?: { readonly env?: Record<string, string | undefined> };
}

/** A variable of the environment, in runtimes that have one; empty counts as unset. */
export function readEnvironment(name: 'MEMORY_API_URL' | 'MEMORY_API_KEY'): string | undefined {
  try {
    return (globalThis as EnvironmentScope).process?.env?.[name] || undefined;
  } catch {
    // Deno asks for permission, and without it throws.
    return undefined;
  }
}
