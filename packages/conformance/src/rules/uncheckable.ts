/** A statement of the specification that a run cannot check, or not in full. */
export interface UncheckableStatement {
  readonly statement: string;
  readonly reason: string;
}

const unspecified = 'The specification leaves this open: there is nothing to break.';
const bodies = 'A GET with a body cannot be sent with fetch.';

/**
 * What a run cannot check from outside, or not in full, and why.
 *
 * @example
 * ```ts
 * console.log(uncheckableStatements.find(({ statement }) => statement === '1.4')?.reason);
 * ```
 */
export const uncheckableStatements: readonly UncheckableStatement[] = [
  { statement: '1.4', reason: 'A run only reads: what it tried to change could be real data.' },
  {
    statement: '2.1.1',
    reason: 'The hour is not waited for: 2.1.1 lifetime reads it from the URL, where its form is known.',
  },
  { statement: '2.1.2', reason: unspecified },
  {
    statement: '3 Processing',
    reason: 'The end of processing is not waited for. That such a memory can be polled is checked by 3 Processing.',
  },
  { statement: '3.1', reason: unspecified },
  { statement: '4', reason: `${bodies} That a key is needed is checked by 5.4 missing.` },
  { statement: '4.1 Request body', reason: bodies },
  { statement: '4.2 Request body', reason: bodies },
  {
    statement: '5.1',
    reason: 'Where keys are made and kept is no part of the API. That one is needed is checked by 5.4 missing.',
  },
  { statement: '5.6', reason: unspecified },
  { statement: '6', reason: unspecified },
  { statement: '7 (500)', reason: 'Nothing that a caller may send makes a server fail.' },
  { statement: '7.2', reason: 'It is said of the caller.' },
  { statement: '8.1', reason: unspecified },
  { statement: '8.2', reason: unspecified },
  { statement: '9.2', reason: 'The specification names no address at which a server has the description.' },
  { statement: '9.3', reason: unspecified },
];
