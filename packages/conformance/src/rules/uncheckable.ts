/** A statement of the specification that a run cannot check, or not in full. */
export interface UncheckableStatement {
  readonly statement: string;
  readonly reason: string;
}

const unspecified = 'The specification leaves this open.';
const bodies = 'fetch cannot send a GET request with a body.';

/**
 * What a run cannot check from outside, or not in full, and why.
 *
 * @example
 * ```ts
 * console.log(uncheckableStatements.find(({ statement }) => statement === '1.4')?.reason);
 * ```
 */
export const uncheckableStatements: readonly UncheckableStatement[] = [
  { statement: '1.4', reason: 'A run only reads: a write could change real data.' },
  {
    statement: '2.1.1',
    reason: 'A run does not wait for an hour. 2.1.1 lifetime reads the expiry from URLs in a known format.',
  },
  { statement: '2.1.2', reason: unspecified },
  {
    statement: '3 Processing',
    reason: 'A run does not wait for the end of processing. 3 Processing checks that such a memory can be read.',
  },
  { statement: '3.1', reason: unspecified },
  { statement: '4', reason: `${bodies} 5.4 missing checks that a key is required.` },
  { statement: '4.1 Request body', reason: bodies },
  { statement: '4.2 Request body', reason: bodies },
  {
    statement: '5.1',
    reason: 'The API does not cover how keys are created and stored. 5.4 missing checks that a key is required.',
  },
  { statement: '5.6', reason: unspecified },
  { statement: '6', reason: unspecified },
  { statement: '7 (500)', reason: 'No valid request makes a server fail.' },
  { statement: '7.2', reason: 'The statement is about the caller.' },
  { statement: '8.1', reason: unspecified },
  { statement: '8.2', reason: unspecified },
  { statement: '9.2', reason: 'The specification names no URL for the description.' },
  { statement: '9.3', reason: unspecified },
];
