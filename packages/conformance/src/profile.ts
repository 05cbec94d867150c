/** Rules that a run checks: those for every server, or also the decisions of this project. */
export type Profile = 'specification' | 'reference';
