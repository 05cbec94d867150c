import { type CallSite, locate } from '../call-site.ts';
import { bindCallerContext } from '../caller-context.ts';
import { OptionChecks } from '../configuration/option-checks.ts';
import { count, kind } from '../configuration/option-kinds.ts';
import { namesOf } from '../configuration/option-names.ts';
import { RequestTimeoutError } from '../errors/errors.ts';
import { LONGEST_CALL_PAUSE } from '../policy/failure-policy.ts';
import { type LinkedSignal, linkSignal } from '../transport/link-signal.ts';
import { describeTimeout, type ExpiredTimeout } from '../transport/timeout-error.ts';
import type { MediaDownload, OpenMediaOptions } from './media-options.ts';
import { describeMedia, type MediaSource, type MediaTarget } from './media-source.ts';
import { MediaTransfer, type TransferOptions } from './media-transfer.ts';
import { isStrongEtag } from './storage-response.ts';

/** Starts a download. Reading its body continues it. */
export async function openMedia(
  source: MediaSource,
  target: MediaTarget,
  given: OpenMediaOptions,
): Promise<MediaDownload> {
  const check = new OptionChecks('download media');
  const options = check.settle(given, openNames);
  const transferOptions = checkTransferOptions(check, options, source.maxRetryAfter);
  const { apiKey, totalTimeout = false } = options;
  const link = linkSignal(options.signal);
  // All requests of a download run in the asynchronous context of the caller that opened it.
  const keyOption = Object.hasOwn(options, 'apiKey') && { apiKey };
  const ownSource: MediaSource = {
    ...source,
    apiKeys: () => [...source.apiKeys(), ...(typeof apiKey === 'string' ? [apiKey] : [])],
    readMediaUrl: bindCallerContext((media, { signal }) => source.readMediaUrl(media, { signal, ...keyOption })),
  };
  const transfer = new MediaTransfer(ownSource, target, { options: transferOptions, signal: link.signal });
  if (totalTimeout !== false) endAfter(totalTimeout, { source: ownSource, target, link, transfer });
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

function checkTransferOptions(
  check: OptionChecks,
  options: OpenMediaOptions,
  clientMaximum: number | undefined,
): TransferOptions {
  const { maxRetryAfter, start } = options;
  if (start !== undefined) check.value('start.etag', start?.etag, strongEtag);
  return {
    headersTimeout: options.headersTimeout ?? 30_000,
    stallTimeout: options.stallTimeout ?? 30_000,
    maxRetryAfter: maxRetryAfter ?? clientMaximum ?? LONGEST_CALL_PAUSE,
    maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY,
    // A download that starts at byte 0 is not resumed, so it needs no ETag.
    start:
      start && check.value('start.byte', start.byte, count) > 0 ? { byte: start.byte, etag: start.etag } : { byte: 0 },
    onProgress: options.onProgress,
  };
}

const openNames = [...namesOf('openMedia'), 'apiKey', 'signal', 'totalTimeout', 'maxRetryAfter'];

const strongEtag = kind('a strong ETag', 'Pass one with its quotes, such as "5f3a".', isStrongEtag);

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
  const [problem, remedy] = describeTimeout(expired, 'it was not complete');
  const action = `download ${describeMedia(target, source.apiKeys())}`;
  const createError = () =>
    new RequestTimeoutError(`Failed to ${action}: ${problem}. ${remedy}`, { ...transfer.context, ...expired });
  source.runtime.sleep(totalTimeout, link.signal).then(
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
