/**
 * Transcripts as subtitles, text and turns. Pure functions that need no client: they run in browsers too, and on stored
 * JSON.
 *
 * @packageDocumentation
 */

// Write

export { toMarkdown } from './to-markdown.ts';
export { toSrt } from './to-srt.ts';
export { toText } from './to-text.ts';
export { toVtt } from './to-vtt.ts';
export type { SubtitleOptions, TranscriptTextOptions } from './transcript-options.ts';

// Look into

export { type Cue, type NormalizedTranscript, normalizeTranscript } from './normalize-transcript.ts';
export { type Speaker, speakers } from './speakers.ts';
export type { TranscriptSource } from './transcript-source.ts';
export type { TranscriptWarning, TranscriptWarningKind } from './transcript-warning.ts';
export { type Turn, turns } from './turns.ts';

// Name

export { renameSpeakers, type SpeakerNames } from './rename-speakers.ts';
