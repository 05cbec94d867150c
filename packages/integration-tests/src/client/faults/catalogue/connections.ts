import { type CertificateKind, emptyAnswer, ends, type Fault, fault } from '../fault.ts';
import { emptyList, response } from '../http-text.ts';
import { signedUrl } from '../samples.ts';

const connection = ends('connection', 3);

/** The connection fails before the headers are complete. */
export const connectionFaults: readonly Fault[] = [
  {
    name: 'nothing listens at the address',
    // The path contains a word that identifies TLS errors, because some runtimes repeat the URL in the message.
    place: { address: 'http://127.0.0.1:2/certificate' },
    expected: { ...connection, says: '(ECONNREFUSED)' },
  },
  {
    name: 'the host name does not exist',
    place: { address: 'https://memory-read.invalid' },
    expected: { ...connection, within: 20_000 },
  },
  { name: 'the connection is reset at once', onConnect: ['reset'], expected: connection },
  { name: 'the connection is closed at once', onConnect: ['end'], expected: connection },
  fault('the connection is reset after the request', 'reset', connection),
  fault('the connection is closed after the request', 'end', connection),
  fault('the response is not HTTP', [`220 mail.example.com ${signedUrl}\r\n\r\n`, 'end'], connection),
  fault('the status line is cut off', ['HTTP/1.1 20', 'end'], connection),
  fault('the headers are cut off', ['HTTP/1.1 200 OK\r\ncontent-ty', 'end'], connection),
  {
    name: 'the server closes a kept-alive connection when the second call arrives',
    answers: [[emptyList], ['reset'], [emptyList]],
    calls: 2,
    expected: emptyAnswer(3),
  },
];

/** The runtime refuses the certificate. A retry would not help, so there is one attempt. */
export const certificateFaults: readonly Fault[] = [
  certified('the certificate is signed by an unknown authority', 'untrusted'),
  certified('the certificate is for another host', 'wrong-host'),
  certified('the certificate has expired', 'expired'),
  {
    name: 'the server sends plain HTTP instead of TLS',
    place: { scheme: 'https' },
    onConnect: [response(400, { body: 'TLS?' }), 'end'],
    expected: connection,
  },
  certified('the certificate is valid', 'good', emptyAnswer()),
];

function certified(name: string, certificate: CertificateKind, expected = ends('connection', 1)): Fault {
  return fault(name, emptyList, expected, { place: { scheme: 'https', certificate } });
}
