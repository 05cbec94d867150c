/** Options of {@link toSrt} and {@link toVtt}. */
export interface SubtitleOptions {
  /** Whether each cue or turn names its speaker. Default: true. */
  speakerLabels?: boolean | undefined;
}

/** Options of {@link toText} and {@link toMarkdown}. */
export interface TranscriptTextOptions extends SubtitleOptions {
  /** Whether each turn shows its start as `h:mm:ss` from the start of the recording. Default: false. */
  timestamps?: boolean | undefined;
}
