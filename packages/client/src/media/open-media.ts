import type { MediaKind } from '@memory-read/contract';
import { type CallSite, locate, located } from '../call-site.ts';
import { bindCallerContext } from '../caller-context.ts';
import type { Client } from '../client.ts';
import { checkOptions, checkValue, type OptionTable } from '../configuration/check-options.ts';
import {
  abortSignal,
  callback,
  count,
  duration,
  given as givenValue,
  interval,
  kind,
} from '../configuration/option-kinds.ts';
import { RequestTimeoutError } from '../errors/errors.ts';
import { LONGEST_CALL_PAUSE } from '../policy/failure-policy.ts';
import { describeTimeout, type ExpiredTimeout, type LinkedSignal, linkSignal, runtime } from '../transport/deadline.ts';
import type { MediaDownload, OpenMediaOptions } from './media-options.ts';
import {
  checkMediaKind,
  createMediaSource,
  describeMedia,
  type MediaSource,
  type MediaTarget,
} from './media-source.ts';
import { MediaTransfer, type TransferOptions } from './media-transfer.ts';
import { isStrongEtag } from './storage-response.ts';

const action = 'download media';

/** The options of a download that starts at the first byte. */
export const downloadTable: OptionTable = {
  signal: abortSignal,
  headersTimeout: interval,
  stallTimeout: interval,
  totalTimeout: duration,
  maxRetryAfter: interval,
  maxBytes: count,
  onProgress: callback,
};

/**
 * Downloads the media as a stream. See section 2.1.1 of the specification.
 *
 * It rejects with the errors of `MemoryClient.openMedia`, and so does reading the body.
 *
 * @example
 * ```ts
 * const { body, contentType } = await openMedia(client, 'mem_1', 'audio');
 * console.log(contentType);
 * await body.cancel();
 * ```
 */
export function openMedia(
  client: Client,
  memoryId: string,
  kind: MediaKind,
  options: OpenMediaOptions = {},
): Promise<MediaDownload> {
  const target = { memoryId, kind, site: new Error() };
  const open = async () => startDownload(createMediaSource(client, target), target, options);
  return located(open(), target.site);
}

/** Starts a download. Reading its body continues it. */
export async function startDownload(
  givenSource: MediaSource,
  target: MediaTarget,
  given: OpenMediaOptions,
): Promise<MediaDownload> {
  checkMediaKind(action, target);
  const options = checkOptions(action, { ...downloadTable, start: givenValue }, given);
  // All requests of a download run in the asynchronous context of the caller that opened it.
  const source = { ...givenSource, readMediaUrl: bindCallerContext(givenSource.readMediaUrl) };
  const transferOptions = checkTransferOptions(options, source.maxRetryAfter);
  const { totalTimeout = false } = options;
  const link = linkSignal(options.signal);
  const transfer = new MediaTransfer(source, target, { options: transferOptions, signal: link.signal });
  if (totalTimeout !== false) endAfter(totalTimeout, { source, target, link, transfer });
  try {
    link.signal.throwIfAborted();
    const { end, ...about } = await transfer.open();
    link.signal.throwIfAborted();
    return { body: createBody(transfer, link, target.site), ...about, start: transferOptions.start.byte };
  } catch (error) {
    transfer.end();
    link.abort();
    throw error;
  }
}

function checkTransferOptions(options: OpenMediaOptions, clientMaximum: number | undefined): TransferOptions {
  const { start } = options;
  if (start !== undefined) checkValue(action, 'start.etag', start?.etag, strongEtag);
  return {
    headersTimeout: 30_000,
    stallTimeout: 30_000,
    maxRetryAfter: clientMaximum ?? LONGEST_CALL_PAUSE,
    maxBytes: Number.POSITIVE_INFINITY,
    ...(options as Partial<TransferOptions>),
    // A download that starts at byte 0 is not resumed, so it needs no ETag.
    start:
      start && checkValue(action, 'start.byte', start.byte, count) > 0
        ? { byte: start.byte, etag: start.etag }
        : { byte: 0 },
  };
}

const strongEtag = /* @__PURE__ */ kind('a strong ETag', 'Pass one with its quotes, such as "5f3a".', isStrongEtag);

function endAfter(
  totalTimeout: number,
  download: {
    readonly source: MediaSource;
    readonly target: MediaTarget;
    readonly link: LinkedSignal;
    readonly transfer: MediaTransfer;
  },
): void {
  const { source, target, link, transfer } = download;
  const expired: ExpiredTimeout = { limit: 'total', timeoutMs: totalTimeout };
  const createError = () => {
    const late = describeTimeout(expired, 'it was not complete');
    const message = `Failed to download ${describeMedia(target, source.apiKeys)}: ${late}`;
    return new RequestTimeoutError(message, { ...transfer.context, ...expired });
  };
  runtime.sleep(totalTimeout, link.signal).then(
    () => link.abort(locate(createError(), target.site)),
    () => {},
  );
}

/** Creates the body without a queue, so that bytes are read from the storage on demand only. */
function createBody(transfer: MediaTransfer, link: LinkedSignal, site: CallSite): ReadableStream<Uint8Array> {
  const end = (reason?: unknown) => {
    transfer.end();
    link.abort(reason);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        link.signal.addEventListener('abort', () => {
          transfer.end();
          controller.error(link.signal.reason);
        });
      },
      async pull(controller) {
        try {
          const chunk = await transfer.read();
          if (chunk !== undefined) return controller.enqueue(chunk);
          controller.close();
          end();
        } catch (error) {
          end(locate(error, site));
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
