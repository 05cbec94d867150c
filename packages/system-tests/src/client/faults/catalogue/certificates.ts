import type { CertificateKind, Fault } from '../fault.ts';
import { emptyList, response } from '../http-text.ts';

/** Why a certificate is refused. It would be refused again, so there is one attempt. */
export const certificateFaults: readonly Fault[] = [
  refused('the certificate is signed by nobody known', 'untrusted'),
  refused('the certificate is for another host', 'wrong-host'),
  refused('the certificate has expired', 'expired'),
  {
    name: 'plain HTTP is spoken where TLS was expected',
    place: { scheme: 'https' },
    onConnect: [response(400, { body: 'TLS?' }), 'end'],
    expected: { ends: 'connection', attempts: 3 },
  },
  {
    name: 'the certificate is good',
    place: { scheme: 'https', certificate: 'good' },
    answers: [[emptyList]],
    expected: { ends: 'answer', attempts: 1, value: [] },
  },
];

function refused(name: string, certificate: CertificateKind): Fault {
  return {
    name,
    place: { scheme: 'https', certificate },
    answers: [[emptyList]],
    expected: { ends: 'connection', attempts: 1 },
  };
}
