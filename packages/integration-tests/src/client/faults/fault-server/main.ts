import { createServer } from 'node:http';
import { faults } from '../catalogue/catalogue.ts';
import type { CertificateKind } from '../fault.ts';
import { type Certificate, createCertificate } from './create-certificate.ts';
import { startFaultServer } from './start-fault-server.ts';

/**
 * A program that runs the whole catalogue until its standard input ends. It prints one line with its URLs and
 * certificates. GET on `control` returns what the server has observed so far.
 */
const day = 86_400_000;
const now = Date.now();
const validity = { notBefore: new Date(now - day), notAfter: new Date(now + day) };
const loopback = [127, 0, 0, 1];
const certificates: Record<CertificateKind, Certificate> = {
  good: createCertificate({ name: 'good', host: loopback, ...validity }),
  untrusted: createCertificate({ name: 'untrusted', host: loopback, ...validity }),
  'wrong-host': createCertificate({ name: 'wrong-host', host: 'other.example', ...validity }),
  expired: createCertificate({
    name: 'expired',
    host: loopback,
    notBefore: new Date(now - 2 * day),
    notAfter: new Date(now - day),
  }),
};

const { addresses, seen } = await startFaultServer(faults, certificates);
const control = createServer((_request, answer) => void answer.end(JSON.stringify(seen)));
control.listen(0, '127.0.0.1', () => {
  const { port } = control.address() as { port: number };
  const trusted = [certificates.good, certificates['wrong-host'], certificates.expired].map(({ cert }) => cert);
  process.stdout.write(`${JSON.stringify({ addresses, control: `http://127.0.0.1:${port}`, trusted })}\n`);
});
process.stdin.resume().on('end', () => process.exit());
