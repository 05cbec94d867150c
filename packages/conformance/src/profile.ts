/** Which rules are checked. */
export type Profile = 'specification' | 'reference';
