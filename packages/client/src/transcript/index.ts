/**
 * Functions that convert transcripts to subtitles, text and turns. They need no client, so they also run in browsers and
 * on stored JSON.
 *
 * @packageDocumentation
 */

// Convert

export { joinTexts } from './join-texts.ts';
export { toMarkdown } from './to-markdown.ts';
export { toSrt } from './to-srt.ts';
export { toText } from './to-text.ts';
export { toVtt } from './to-vtt.ts';
export type { SubtitleOptions, TranscriptTextOptions } from './transcript-options.ts';

// Inspect

export { type Cue, type NormalizedTranscript, normalizeTranscript } from './normalize-transcript.ts';
export { type Passage, passages } from './passages.ts';
export { isUnspaced } from './scripts.ts';
export { type Speaker, speakers } from './speakers.ts';
export { storedSegments } from './stored-segments.ts';
export type { TranscriptSource } from './transcript-source.ts';
export type { TranscriptWarning, TranscriptWarningKind } from './transcript-warning.ts';
export { type Turn, turns } from './turns.ts';

// Rename

export { renameSpeakers } from './rename-speakers.ts';
export type { SpeakerNames } from './speaker-names.ts';
