/** What {@link toSrt} and {@link toVtt} can be told. */
export interface SubtitleOptions {
  /** Whether each cue says who speaks. @defaultValue true */
  speakerLabels?: boolean | undefined;
}

/** What {@link toText} and {@link toMarkdown} can be told. */
export interface TranscriptTextOptions extends SubtitleOptions {
  /** Whether each turn says when it starts, as `h:mm:ss` from the start of the recording. @defaultValue false */
  timestamps?: boolean | undefined;
}
