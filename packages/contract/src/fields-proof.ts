import type { errorBodyFields, Field, FieldType, memoryFields, partFields } from './fields.ts';
import type { ErrorBody, Memory, Segment, Summary, Transcript } from './memory.ts';

// Editors show the name and the comments of an interface, but not of a type derived from rows. Both are written, and
// this file compiles only if they agree.

/** Compiles only if each interface has exactly the fields of its rows. */
export type FieldsProof = [
  Proven<Equal<Memory, ObjectOf<typeof memoryFields>>>,
  Proven<Equal<Transcript, ObjectOf<typeof partFields.Transcript>>>,
  Proven<Equal<Segment, ObjectOf<typeof partFields.Segment>>>,
  Proven<Equal<Summary, ObjectOf<typeof partFields.Summary>>>,
  Proven<Equal<ErrorBody, ObjectOf<typeof errorBodyFields>>>,
  Proven<Equal<FieldType, keyof Values>>,
];

interface Values {
  string: string;
  'date-time': string;
  uri: string;
  integer: number;
  boolean: boolean;
  'string[]': string[];
  Transcript: Transcript;
  'Segment[]': Segment[];
  Summary: Summary;
}

type ObjectOf<Rows extends Record<string, Field>> = {
  -readonly [Name in keyof Rows]: Values[Rows[Name]['type']] | (Rows[Name] extends { nullable: true } ? null : never);
};

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

type Proven<Claim extends true> = Claim;
