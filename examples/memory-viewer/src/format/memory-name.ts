/** The name, or words where there is nothing to see of it. */
export function memoryName({ name }: { name: string }): string {
  return name.trim() === '' ? 'Untitled memory' : name;
}
