/**
 * The fields of the API as rows, which everything else is derived from. Not stable: rows may change in a minor version.
 *
 * @packageDocumentation
 */

/** Type of a field: a scalar, an object of {@link partFields}, or an array of such objects. */
export type FieldType =
  | 'string'
  | 'date-time'
  | 'uri'
  | 'integer'
  | 'boolean'
  | 'string[]'
  | 'Transcript'
  | 'Segment[]'
  | 'Summary';

/** A field of an object of the API. */
export interface Field {
  readonly type: FieldType;
  /** Whether null is allowed. A field is never absent from a response. Default: not allowed. */
  readonly nullable?: true;
}

/** A field of a memory. */
export type MemoryField = Field & {
  /** Source of the value: the stored record, the account of the owner, processing, or the media signer. */
  readonly from: 'record' | 'account' | 'processing' | 'signer';
  /** How a watch and a mirror compare the field: by value, or by presence. Default: not at all. */
  readonly watched?: 'value' | 'presence';
} & (
    | { readonly addedIn?: never }
    /** Version of the contract that added the field. Older records lack it, so it must be nullable. */
    | { readonly addedIn: string; readonly nullable: true }
  );

/** Fields of a memory, in the order of a response. See section 2.1 of the specification. */
export const memoryFields = {
  id: { type: 'string', from: 'record' },
  name: { type: 'string', from: 'record', watched: 'value' },
  started_at: { type: 'date-time', from: 'record', watched: 'value' },
  ended_at: { type: 'date-time', from: 'record', watched: 'value' },
  is_processing: { type: 'boolean', from: 'processing', watched: 'presence' },
  user_id: { type: 'string', from: 'account' },
  duration_seconds: { type: 'integer', from: 'record', watched: 'value' },
  audio_url: { type: 'uri', nullable: true, from: 'signer', watched: 'presence' },
  video_url: { type: 'uri', nullable: true, from: 'signer', watched: 'presence' },
  preview_image_url: { type: 'uri', nullable: true, from: 'signer', watched: 'presence' },
  transcript: { type: 'Transcript', nullable: true, from: 'processing' },
  summary: { type: 'Summary', nullable: true, from: 'processing', watched: 'value' },
} as const satisfies Record<string, MemoryField>;

/** Fields of the objects in a memory. See sections 2.2 to 2.4 of the specification. */
export const partFields = {
  Transcript: {
    segments: { type: 'Segment[]' },
  },
  Segment: {
    speaker: { type: 'string' },
    start_at: { type: 'date-time' },
    end_at: { type: 'date-time' },
    text: { type: 'string' },
  },
  Summary: {
    quick_summary: { type: 'string' },
    key_takeaways: { type: 'string[]' },
  },
} as const satisfies Record<string, Record<string, Field>>;

/** Fields of an error body. See section 2.5 of the specification. */
export const errorBodyFields = {
  detail: { type: 'string' },
} as const satisfies Record<string, Field>;

/** Name of a field of a memory. */
export type MemoryFieldName = keyof typeof memoryFields;

/** Names of the memory fields that have this property. */
export type MemoryFieldNameWith<Property> = {
  [Name in MemoryFieldName]: (typeof memoryFields)[Name] extends Property ? Name : never;
}[MemoryFieldName];

/** Kind of media: the name of its field without `_url`. */
export type MediaKind = MemoryFieldNameWith<{ from: 'signer' }> extends `${infer Kind}_url` ? Kind : never;

/** Names of the memory fields, in the order of a response. */
export const fieldNames: readonly MemoryFieldName[] = Object.keys(memoryFields) as MemoryFieldName[];

/** Kinds of media that a memory can have. */
export const mediaKinds: readonly MediaKind[] = /* @__PURE__ */ findMediaKinds();

function findMediaKinds(): MediaKind[] {
  const names = fieldNames.filter((name) => memoryFields[name].from === 'signer');
  return names.map((name) => name.slice(0, -'_url'.length) as MediaKind);
}
