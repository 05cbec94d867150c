import { isMemoryApiError } from '@memory-read/client';

export interface ProblemText {
  title: string;
  advice: string;
}

/** Describes an error for readers of memories. The error itself has the details for developers. */
export function problemText(error: unknown): ProblemText {
  if (!isMemoryApiError(error)) return unexpected;
  switch (error.code) {
    case 'authentication':
      return {
        title: 'No access',
        advice: 'This server is not allowed to read your memories. Ask who runs it to check its key.',
      };
    case 'not_found':
    case 'configuration':
      return { title: 'This memory is not here', advice: 'It may have been deleted, or the link is incomplete.' };
    case 'media_unavailable':
    case 'media_playback':
      return { title: 'Nothing to play', advice: 'The recording is not available any more.' };
    case 'connection':
    case 'timeout':
      return { title: 'No connection', advice: 'Check your network, then try again.' };
    case 'rate_limited':
    case 'server':
      return { title: 'The service has trouble', advice: 'Wait a moment, then try again.' };
    default:
      return unexpected;
  }
}

const unexpected = { title: 'Something went wrong', advice: 'Try again. If it stays, reload the page.' };
