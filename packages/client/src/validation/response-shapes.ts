import { type Field, memoryFields, partFields } from '@memory-read/contract/fields';
import type { OperationId } from '@memory-read/contract/operations';
import { addDrift } from './findings.ts';
import {
  arrayOf,
  dateTime,
  flag,
  type InspectedField,
  type Inspector,
  integer,
  isObject,
  objectOf,
  text,
  uri,
} from './shape.ts';

/** Rules for the body of a response. */
export interface ResponseShape {
  /** Type of the body itself, which every validation mode checks. */
  readonly root: 'array' | 'object';
  readonly shape: Inspector;
}

const scalars: Readonly<Record<string, Inspector>> = {
  string: text,
  'date-time': dateTime,
  uri,
  integer,
  boolean: flag,
};

const memory = inspectorsOf(memoryFields);
const transcript = typeInspector(memoryFields.transcript.type);

/** A list has null transcripts (section 4.1.3). A transcript in a list is reported as drift. */
const listedTranscript: InspectedField = {
  nullable: true,
  inspect(value, findings) {
    if (isObject(value)) addDrift(findings, 'listed_transcript', 'expected null');
    transcript(value, findings);
  },
};

/** Rules for each response by its component. See sections 2.1 and 4.1 of the specification. */
export const responseShapes: Readonly<Record<OperationId, ResponseShape>> = {
  getMemory: { root: 'object', shape: objectOf(memory) },
  listMemories: { root: 'array', shape: arrayOf(objectOf({ ...memory, transcript: listedTranscript })) },
};

function inspectorsOf(rows: Readonly<Record<string, Field>>): Record<string, InspectedField> {
  const fields = Object.entries(rows).map(([name, { type, nullable }]) => [
    name,
    { inspect: typeInspector(type), nullable },
  ]);
  return Object.fromEntries(fields);
}

function typeInspector(type: string): Inspector {
  if (type.endsWith('[]')) return arrayOf(typeInspector(type.slice(0, -2)));
  return scalars[type] ?? objectOf(inspectorsOf(partFields[type as keyof typeof partFields]));
}
