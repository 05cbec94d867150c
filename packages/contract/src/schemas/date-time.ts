import * as z from 'zod/mini';

/** ISO 8601 date-time. The specification names no zone rule, so an offset, `Z` or none are all well-formed. */
export const dateTimeShape: z.ZodMiniType<string> = z.iso.datetime({ offset: true, local: true });
