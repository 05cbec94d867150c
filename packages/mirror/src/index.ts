/**
 * A local copy of the memories of an account, which you can search offline. It has the history of each memory.
 *
 * @packageDocumentation
 */

// Open a mirror

export type { MirrorWarning } from './files/hardening.ts';
export { type Mirror, openMirror } from './mirror.ts';
export type { RangeOptions } from './options/check-options.ts';
export type { OpenMirrorOptions, PagesOptions } from './options/mirror-options.ts';

// Read memories

export type { HistoryEvent } from './history/list-history.ts';
export type { ListOptions, MirroredPage } from './history/list-memories.ts';
export type { MirroredMemory } from './history/mirrored-memory.ts';
export type { HistoryEventType } from './history/write-event.ts';

// Name speakers

export type { Doubt, MirrorPeople, NamedSpeaker, PeopleImport, Person } from './people/people-types.ts';

// Sync and search

export type { HitKind } from '@memory-read/client/search';
export type { SearchHit, SearchOptions, SearchPage } from './search/search-types.ts';
export type { SyncClient, SyncFailure, SyncOptions, SyncProgress, SyncReport } from './sync/sync-types.ts';

// Deliver events

export { type DeliveryAction, DeliveryError } from './events/delivery-error.ts';
export type {
  DeliverOptions,
  Delivery,
  DeliveryProgress,
  DeliveryReport,
  SendContext,
  SendEvent,
  SinkState,
} from './events/delivery-types.ts';
export type {
  EventMemory,
  EventOptions,
  EventPage,
  EventsOptions,
  MemoryEvent,
  MemoryEventType,
  OmittedPart,
} from './events/event-types.ts';
export type { MirrorEvents } from './events/mirror-events.ts';
export { createWebhookSender, type WebhookOptions } from './events/webhook-sender.ts';

// Export files

export type {
  ExportFailure,
  ExportFilesOptions,
  ExportFilesReport,
  ExportFolder,
  ExportProgress,
  KeptFile,
} from './exports/export-types.ts';

// Back up, check and repair

export type { CheckReport, Damage, RepairReport } from './check/check-types.ts';

// Purge memories

export type { PurgeReport } from './purge/purge-memories.ts';

// Handle errors

export { isMirrorError, MirrorError, type MirrorErrorCode } from './errors/mirror-error.ts';

// Write pages

export type { PagesReport, PageWarning } from './pages/write-pages.ts';

// Write documents

export { type ExportFormat, toDocument } from './documents/to-document.ts';
export { type ExportPart, type FileNamesOptions, fileNames } from './files/name-files.ts';
