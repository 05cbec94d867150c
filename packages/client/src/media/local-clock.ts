/** The clock by which the expiry of a URL is judged, unless a caller passes a time. */
export { systemClock as localClock } from '@memory-read/contract/date-time';
