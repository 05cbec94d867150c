/**
 * Keeps a media element playing although its URL expires, and finds the spoken words. It needs no framework.
 *
 * @packageDocumentation
 */

// Play

export { MediaPlaybackError, type MediaPlaybackFailure } from '../errors/errors.ts';
export { keepPlaying } from './keep-playing.ts';
export type {
  KeepPlayingOptions,
  KeptPlayback,
  PlayableSource,
  PlayableUrl,
  PlaybackEvent,
  RenewReason,
} from './playback-types.ts';

// Follow the words

export { type CueIndex, type CueIndexOptions, createCueIndex, followCues, type TimedCue } from './cue-index.ts';
