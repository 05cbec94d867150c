/**
 * What keeps keys and signed URLs out of errors and reports. Not stable: what is taken out may change in a minor version.
 *
 * @packageDocumentation
 */
export { decodeEscapes } from './decode-escapes.ts';
export { redact } from './redact.ts';
