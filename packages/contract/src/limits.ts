/** Version of the machine-readable description of the API. See section 9 of the specification. */
export const API_DOCUMENT_VERSION = '0.1.0';

/** Seconds for which a signed media URL works, from the moment its response was made. See section 8 of the specification. */
export const MEDIA_URL_LIFETIME_SECONDS = 3600;
