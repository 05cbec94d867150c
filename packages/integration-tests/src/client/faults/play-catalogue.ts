import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMockServer } from '@memory-read/msw/server';
import { faults } from './catalogue/catalogue.ts';
import type { CertificateKind, Fault } from './fault.ts';
import { apiKey } from './samples.ts';

/**
 * A program that plays the whole catalogue until it is ended, each fault in a space of its own. It prints one line with
 * the address and the id of each space, the control URL and the certificates to trust.
 */
const server = await startMockServer({ memories: [], control: {} });
const spaces: Record<string, { id: string; address: string }> = {};
for (const fault of faults) spaces[fault.name] = await play(fault);
const trusted = (['good', 'wrong-host', 'expired'] as const).map(certificateOf);
process.stdout.write(`${JSON.stringify({ spaces, control: server.controlUrl, trusted })}\n`);

async function play({ place = {}, onConnect, answers = [] }: Fault) {
  const pem = place.certificate && certificateOf(place.certificate);
  const space = await server.openSpace({
    apiKey,
    memories: [],
    tls: pem === undefined ? pem : { cert: pem, key: pem },
  });
  if (onConnect) space.faults.always({ steps: onConnect }, { match: { operation: 'connection' } });
  for (const steps of answers.slice(0, -1)) space.faults.next({ steps });
  for (const steps of answers.slice(-1)) space.faults.always({ steps });
  // A space without a certificate does not know that it is called over TLS.
  const address = place.address ?? space.baseUrl.replace(/^https?/, place.scheme ?? 'http');
  return { id: space.id, address };
}

/** The file has the certificate and its key. */
function certificateOf(kind: CertificateKind): string {
  return readFileSync(join(import.meta.dirname, 'certificates', `${kind}.pem`), 'utf8');
}
