import {
  type FieldType,
  fieldNames,
  type MemoryField,
  type MemoryFieldName,
  type MemoryFieldNameWith,
  memoryFields,
} from '@memory-read/contract/fields';

/** Name of a field that comes from the record. */
export type RecordFieldName = MemoryFieldNameWith<{ from: 'record' }>;

/** The rows of the contract, each with its optional properties. */
export const rows: Readonly<Record<MemoryFieldName, MemoryField>> = memoryFields;

/** The fields that come from the record, in the order of the rows. */
export const recordFields = fieldNames.filter((name): name is RecordFieldName => rows[name].from === 'record');

/** The fields that a record may omit, which means null: those added after the first version of the contract. */
export const addedFields = recordFields.filter((name) => rows[name].addedIn !== undefined);

const scalars: readonly FieldType[] = ['string', 'date-time', 'uri', 'integer', 'boolean'];

/** The fields whose values are objects or lists. */
export const structuredFields = fieldNames.filter((name) => !scalars.includes(rows[name].type));
