import { bindCallerContext } from '../caller-context.ts';
import {
  checkCount,
  checkDuration,
  checkFunction,
  checkInterval,
  checkNames,
  checkOptions,
  checkSignal,
  refuseOption,
} from '../configuration/option-checks.ts';
import { RequestTimeoutError } from '../errors/request-timeout-error.ts';
import { type LinkedSignal, linkSignal } from '../transport/link-signal.ts';
import type { MediaDownload, OpenMediaOptions } from './media-options.ts';
import type { MediaSource, MediaTarget } from './media-source.ts';
import { MediaTransfer, type TransferOptions } from './media-transfer.ts';
import { isStrongEtag } from './storage-response.ts';

/** Starts a download. Reading its body continues it. */
export async function openMedia(
  source: MediaSource,
  target: MediaTarget,
  options: OpenMediaOptions,
): Promise<MediaDownload> {
  const transferOptions = checkTransferOptions(options);
  const totalTimeout = checkDuration('totalTimeout', options.totalTimeout ?? false);
  const link = linkSignal(checkSignal(options.signal));
  // All requests of a download run in the asynchronous context of the caller that opened it.
  const ownSource = { ...source, readMediaUrl: bindCallerContext(source.readMediaUrl) };
  const transfer = new MediaTransfer(ownSource, target, { options: transferOptions, signal: link.signal });
  if (totalTimeout !== false) endAfter(totalTimeout, source, link);
  try {
    link.signal.throwIfAborted();
    const { end, ...about } = await transfer.open();
    link.signal.throwIfAborted();
    return { body: createBody(transfer, link), ...about, start: transferOptions.start.byte };
  } catch (error) {
    transfer.end();
    link.abort();
    throw error;
  }
}

function checkTransferOptions(options: OpenMediaOptions): TransferOptions {
  const { headersTimeout = 30_000, stallTimeout = 30_000, maxBytes, start, onProgress } = checkOptions(options);
  if (start !== undefined && !isStrongEtag(start?.etag)) {
    throw refuseOption('start.etag', start?.etag, 'Pass a strong ETag, such as "5f3a" with its quotes.');
  }
  const transferOptions = {
    headersTimeout: checkInterval('headersTimeout', headersTimeout),
    stallTimeout: checkInterval('stallTimeout', stallTimeout),
    maxBytes: maxBytes === undefined ? Number.POSITIVE_INFINITY : checkCount('maxBytes', maxBytes),
    // A download from the first byte resumes nothing.
    start: start && checkCount('start.byte', start.byte) > 0 ? { byte: start.byte, etag: start.etag } : { byte: 0 },
    onProgress: checkFunction('onProgress', onProgress),
  };
  checkNames(options, [...Object.keys(transferOptions), 'signal', 'totalTimeout']);
  return transferOptions;
}

function endAfter(totalTimeout: number, { runtime }: MediaSource, link: LinkedSignal): void {
  const error = new RequestTimeoutError(
    `Failed to download media: because it was not whole within ${totalTimeout} ms. Raise totalTimeout if that is too short.`,
    { limit: 'total', timeoutMs: totalTimeout },
  );
  runtime.sleep(totalTimeout, link.signal).then(
    () => link.abort(error),
    () => {},
  );
}

/** Creates the body without a queue, so that bytes are read from the storage on demand only. */
function createBody(transfer: MediaTransfer, link: LinkedSignal): ReadableStream<Uint8Array> {
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
          end(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
