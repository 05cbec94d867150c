import type { MediaKind, MemoryFieldNameWith } from './fields.ts';

/** A recorded moment, as the detail endpoint returns it. See section 2.1 of the specification. */
export interface Memory {
  /** Unique opaque id. */
  id: string;
  /** Name that users see. */
  name: string;
  /** Start, as an ISO 8601 date-time. */
  started_at: string;
  /** End, as an ISO 8601 date-time. */
  ended_at: string;
  /** Whether the transcript and the summary are still being processed. */
  is_processing: boolean;
  /** Opaque id of the owner. */
  user_id: string;
  /** Length in whole seconds. */
  duration_seconds: number;
  /** Signed URL of the audio, valid for one hour from the response; null if there is no audio. */
  audio_url: string | null;
  /** Signed URL of the video, valid for one hour from the response; null if there is no video. */
  video_url: string | null;
  /** Signed URL of the preview image, valid for one hour from the response; null if there is no image. */
  preview_image_url: string | null;
  /** Transcript. It can be null during processing, and for a recording without speech. */
  transcript: Transcript | null;
  /** Summary. It can be null during processing, and if none was generated. */
  summary: Summary | null;
}

/** A memory of a list: the same fields, but the transcript is always null. See section 4.1 of the specification. */
export interface ListedMemory extends Memory {
  /** Always null in a list. Read the memory itself for its transcript. */
  transcript: null;
}

/** Speech of a memory with speakers and times. See section 2.2 of the specification. */
export interface Transcript {
  /** Segments, sorted by start. */
  segments: Segment[];
}

/** Words of one speaker without a break. See section 2.3 of the specification. */
export interface Segment {
  /** Speaker label of the form "Speaker 1". */
  speaker: string;
  /** Start, as an absolute ISO 8601 date-time. It can have milliseconds. */
  start_at: string;
  /** End, as an absolute ISO 8601 date-time. */
  end_at: string;
  /** Spoken text. */
  text: string;
}

/** Generated summary of a memory. See section 2.4 of the specification. */
export interface Summary {
  /** Summary in one or two sentences. */
  quick_summary: string;
  /** Important points. */
  key_takeaways: string[];
}

/** Body of every error response. See sections 2.5 and 7 of the specification. */
export interface ErrorBody {
  /** Description of the error for people. */
  detail: string;
}

/** Response bodies by the name of their component in the OpenAPI document. */
export interface ResponseBodies {
  Memory: Memory;
  MemoryList: ListedMemory[];
}

/** Location and type of a stored media file. */
export interface MediaReference {
  /** Key of the object in the media storage, such as `mem_1/audio.wav`. */
  object_key: string;
  /** Media type of the response, such as `audio/wav`. */
  content_type: string;
}

type ServedOnly = MemoryFieldNameWith<{ from: 'account' | 'signer' }>;
type AddedLater = Exclude<MemoryFieldNameWith<{ addedIn: string }>, ServedOnly>;

/**
 * A memory as a store holds it, and one line of a JSON Lines file. See section 2.1 of the specification.
 *
 * The server adds the owner and the three signed URLs to each response, so a record lacks them. It holds the keys of
 * the stored media instead.
 */
export interface MemoryRecord extends Omit<Memory, ServedOnly | AddedLater>, Partial<Pick<Memory, AddedLater>> {
  /** Stored media. An absent kind has a null URL in responses. */
  media: { [Kind in MediaKind]?: MediaReference | undefined };
}
