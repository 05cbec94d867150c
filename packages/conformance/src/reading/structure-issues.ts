import { memorySchema } from '@memory-read/contract';
import { fieldNames, memoryFields } from '@memory-read/contract/fields';
import type { MemoryValue } from './memory-value.ts';

/** A violation of section 2 in the structure of a memory. */
export interface StructureIssue {
  /** The statement of the specification that it breaks, such as `2.1 name`. */
  statement: string;
  /** Path and problem, never a value: `transcript.segments.0.text expected string, received null`. */
  text: string;
}

/** Returns all violations of section 2 in the structure of a memory. */
export function structureIssues(memory: MemoryValue): StructureIssue[] {
  const { issues = [] } = memorySchema['~standard'].validate(memory);
  return issues.map(({ path = [], message }) => {
    const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
    return { statement: statementOf(keys, memory), text: `${keys.join('.')} ${orNull(keys, message)}` };
  });
}

/** Adds `or null` to the message of a nullable field. */
function orNull([field, ...below]: readonly PropertyKey[], message: string): string {
  const isNullable = below.length === 0 && nullableFields.has(field);
  return isNullable ? message.replace(/^expected [^,]+/, '$& or null') : message;
}

const nullableFields = new Set<PropertyKey | undefined>(fieldNames.filter((name) => 'nullable' in memoryFields[name]));

/** An absent field breaks the text above the table. Any other issue breaks the row of the field. */
function statementOf(path: readonly PropertyKey[], memory: MemoryValue): string {
  const [field, ...below] = path.map(String);
  const row = path.length > 0 && isAbsent(path, memory) ? '' : ` ${path.at(-1)?.toString()}`;
  if (below.length === 0) return `2.1${row}`;
  if (field === 'summary') return below.length === 1 ? `2.4${row}` : '2.4 key_takeaways';
  return below.length === 3 ? `2.3${row}` : '2.2 segments';
}

function isAbsent(path: readonly PropertyKey[], memory: MemoryValue): boolean {
  const owner = path.slice(0, -1).reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], memory);
  return !Object.hasOwn(owner as object, path.at(-1) as PropertyKey);
}
