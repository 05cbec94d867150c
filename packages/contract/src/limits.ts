/** Version of the OpenAPI document. See section 9 of the specification. */
export const API_DOCUMENT_VERSION = '0.1.0';

/**
 * Lifetime of a signed media URL, in seconds, from the creation of its response. See section 8 of the specification.
 */
export const MEDIA_URL_LIFETIME_SECONDS = 3600;
