import { createHash, createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@memory-read/server';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';

/** What a storage knows of who may read it. */
export interface PresignedRequestRules {
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  clock: Clock;
}

/** Signs the request once more with the AWS SDK's own implementation. What differs in anything is refused. */
export async function presignedRequestRefusal(
  { method, target, host }: { method: string; target: string; host: string },
  { region, credentials, clock }: PresignedRequestRules,
) {
  const [path = '', search = ''] = target.split('?');
  const parameters = search.split('&').map((parameter) => parameter.split('=').map(decodeURIComponent));
  const query: Record<string, string> = Object.fromEntries(parameters);
  const signingDate = parseDate(query['X-Amz-Date']);
  const expiresIn = Number(query['X-Amz-Expires']);
  if (signingDate === undefined || !(expiresIn > 0 && expiresIn <= 604_800)) return malformed;

  const signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false });
  const unsigned = Object.entries(query).filter(([name]) => !name.startsWith('X-Amz-'));
  const headers = { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const options = { signingDate, expiresIn, unhoistableHeaders: payloadHash, unsignableHeaders: payloadHash };
  const request = new HttpRequest({ method, path, headers, query: Object.fromEntries(unsigned) });
  const expected = Object.entries((await signer.presign(request, options)).query ?? {});
  // As a list of pairs, so that a parameter that comes twice is no match.
  if (!isDeepStrictEqual(parameters.sort(byName), expected.sort(byName))) return mismatch;

  const age = clock.now().getTime() - signingDate.getTime();
  return age < -15 * 60_000 || age > expiresIn * 1000 ? denied : undefined;
}

const malformed = { status: 400, code: 'AuthorizationQueryParametersError' };
const mismatch = { status: 403, code: 'SignatureDoesNotMatch' };
const denied = { status: 403, code: 'AccessDenied' };
const payloadHash = new Set(['x-amz-content-sha256']);

function byName([left = '']: unknown[], [right = '']: unknown[]): number {
  return String(left) < String(right) ? -1 : 1;
}

function parseDate(text = ''): Date | undefined {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5');
  return iso !== text && Number.isFinite(Date.parse(iso)) ? new Date(iso) : undefined;
}

/** What the signer needs of a hash; it makes a new one each time. */
class Sha256 {
  private readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string | Uint8Array);
  }

  update(data: Uint8Array): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    throw new Error('Failed to reset a hash: nothing here needs it. Make a new one.');
  }
}
