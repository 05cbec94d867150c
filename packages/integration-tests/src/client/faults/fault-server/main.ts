import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { faults } from '../catalogue/catalogue.ts';
import type { CertificateKind } from '../fault.ts';
import { startFaultServer } from './start-fault-server.ts';

/**
 * A program that runs the whole catalogue until it is ended. It prints one line with its URLs and
 * certificates. GET on `control` returns what the server has observed so far.
 */
const certificateOf = (kind: CertificateKind) =>
  readFileSync(join(import.meta.dirname, 'certificates', `${kind}.pem`), 'utf8');
const { addresses, seen } = await startFaultServer(faults, certificateOf);
const control = createServer((_request, answer) => void answer.end(JSON.stringify(seen)));
control.listen(0, '127.0.0.1', () => {
  const { port } = control.address() as { port: number };
  const trusted = (['good', 'wrong-host', 'expired'] as const).map(certificateOf);
  process.stdout.write(`${JSON.stringify({ addresses, control: `http://127.0.0.1:${port}`, trusted })}\n`);
});
