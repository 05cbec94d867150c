import type { MediaKind, MemoryFieldNameWith } from './fields.ts';

/** A recorded moment, as the detail endpoint returns it. See section 2.1 of the specification. */
export interface Memory {
  /** Unique id; opaque. */
  id: string;
  /** Name that the user sees. */
  name: string;
  /** ISO 8601 date-time of the start. */
  started_at: string;
  /** ISO 8601 date-time of the end. */
  ended_at: string;
  /** True while transcript and summary are still being made. */
  is_processing: boolean;
  /** Id of the owner; opaque. */
  user_id: string;
  /** Length in whole seconds. */
  duration_seconds: number;
  /** Signed URL of the audio, valid for one hour from the response; null when there is none. */
  audio_url: string | null;
  /** Signed URL of the video, valid for one hour from the response; null when there is none. */
  video_url: string | null;
  /** Signed URL of the preview image, valid for one hour from the response; null when there is none. */
  preview_image_url: string | null;
  /** May be null while processing; afterwards for a recording in which nobody speaks. */
  transcript: Transcript | null;
  /** May be null while processing; afterwards where none was made. */
  summary: Summary | null;
}

/** A memory in a list: the same fields, the transcript always null. See section 4.1 of the specification. */
export interface ListedMemory extends Memory {
  /** Lists carry no transcripts; read the memory itself. */
  transcript: null;
}

/** What was said in a memory, by whom and when. See section 2.2 of the specification. */
export interface Transcript {
  /** Segments in order of their start. */
  segments: Segment[];
}

/** One stretch of speech by one speaker. See section 2.3 of the specification. */
export interface Segment {
  /** Diarized speaker label, of the form "Speaker 1". */
  speaker: string;
  /** Absolute ISO 8601 date-time at which the segment starts; may carry milliseconds. */
  start_at: string;
  /** Absolute ISO 8601 date-time at which the segment ends. */
  end_at: string;
  /** What was said. */
  text: string;
}

/** The generated summary of a memory. See section 2.4 of the specification. */
export interface Summary {
  /** A sentence or two. */
  quick_summary: string;
  /** The important points. */
  key_takeaways: string[];
}

/** The body of every error response. See sections 2.5 and 7 of the specification. */
export interface ErrorBody {
  /** What went wrong, for people. */
  detail: string;
}

/** What the operations return, by the name of its component in the OpenAPI document. */
export interface ResponseBodies {
  Memory: Memory;
  MemoryList: ListedMemory[];
}

/** Where a memory's media file lies in storage, and what it is. */
export interface MediaReference {
  /** Key of the object in the media storage, such as `mem_1/audio.wav`. */
  object_key: string;
  /** Media type it is served with, such as `audio/wav`. */
  content_type: string;
}

type ServedOnly = MemoryFieldNameWith<{ from: 'account' | 'signer' }>;
type AddedLater = Exclude<MemoryFieldNameWith<{ addedIn: string }>, ServedOnly>;

/**
 * A memory as it is put into a store, and one line of a JSON Lines file.
 *
 * It is the memory of section 2.1 of the specification without what the server adds to each answer: the owner and the
 * three signed URLs. In their place stand the keys of the stored media.
 */
export interface MemoryRecord extends Omit<Memory, ServedOnly | AddedLater>, Partial<Pick<Memory, AddedLater>> {
  /** The media that there are; an absent kind is served as a null URL. */
  media: { [Kind in MediaKind]?: MediaReference | undefined };
}
