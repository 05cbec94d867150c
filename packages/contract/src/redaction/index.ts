/**
 * What keeps keys, signed URLs and control characters out of errors, reports and documents. Not stable: what is taken
 * out may change in a minor version.
 *
 * @packageDocumentation
 */
export { decodeEscapes } from './decode-escapes.ts';
export { redact, removeKeys } from './redact.ts';
export { escapeControls, replaceControls } from './replace-controls.ts';
export { secretPattern } from './secret-pattern.ts';
