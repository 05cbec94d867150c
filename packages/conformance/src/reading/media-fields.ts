/** The fields of a memory that hold a media URL. */
export const mediaFields = ['audio_url', 'video_url', 'preview_image_url'] as const;

export type MediaField = (typeof mediaFields)[number];
