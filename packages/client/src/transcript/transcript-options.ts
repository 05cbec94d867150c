/** Options of {@link toSrt} and {@link toVtt}. */
export interface SubtitleOptions {
  /** Whether each cue names its speaker. Default: true. */
  speakerLabels?: boolean | undefined;
  /**
   * Which cues are written. Default: `readable`.
   *
   * - `readable`: a long segment is split at sentences, then at words. A cue has at most two lines of 42 columns, and
   *   lasts at most 7 s unless it is one word. It stays for 1 s where the next cue leaves room. The times of the parts
   *   are not stored: they are interpolated by characters.
   * - `stored`: each segment is one cue, with its lines and times.
   */
  cues?: 'readable' | 'stored' | undefined;
}

/** Options of {@link toText} and {@link toMarkdown}. */
export interface TranscriptTextOptions {
  /** Whether each turn names its speaker. Default: true. */
  speakerLabels?: boolean | undefined;
  /** Whether each turn shows its start as `h:mm:ss` from the start of the recording. Default: false. */
  timestamps?: boolean | undefined;
}
