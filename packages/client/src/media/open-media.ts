import { inContextOfNow } from '../caller-context.ts';
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

/** Begins a download; its body goes on with it as it is read. */
export async function openMedia(
  source: MediaSource,
  target: MediaTarget,
  options: OpenMediaOptions,
): Promise<MediaDownload> {
  const transferOptions = checkTransferOptions(options);
  const totalTimeout = checkDuration('totalTimeout', options.totalTimeout ?? false);
  const link = linkSignal(checkSignal(options.signal));
  // One download reads as one caller, whoever reads its body.
  const ownSource = { ...source, readMediaUrl: inContextOfNow(source.readMediaUrl) };
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
    // What begins at the beginning is no continuation of anything.
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

/** Without a queue, so that only what is asked for is read. */
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
