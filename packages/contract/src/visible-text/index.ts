/**
 * What is visible of a text, cut between characters. Not stable: what is removed may change in a minor version.
 *
 * @packageDocumentation
 */
export { cutText } from './cut-text.ts';
export { isInsideCharacter } from './is-inside-character.ts';
export { visibleForm, visibleText } from './visible-text.ts';
export { wellFormed } from './well-formed.ts';
