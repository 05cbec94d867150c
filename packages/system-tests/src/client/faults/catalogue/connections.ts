import type { Fault } from '../fault.ts';
import { emptyList, head } from '../http-text.ts';

const connection = { ends: 'connection', attempts: 3 } as const;

/** Before a whole head of a response is there. */
export const connectionFaults: readonly Fault[] = [
  {
    name: 'nothing listens at the address',
    place: { address: 'http://127.0.0.1:2' },
    expected: { ...connection, says: '(ECONNREFUSED)' },
  },
  {
    name: 'the host name does not exist',
    place: { address: 'https://memory-read.invalid' },
    expected: { ...connection, within: 20_000 },
  },
  { name: 'the connection is reset at once', onConnect: ['reset'], expected: connection },
  { name: 'the connection is closed at once', onConnect: ['end'], expected: connection },
  { name: 'the connection is reset after the request', answers: [['reset']], expected: connection },
  { name: 'the connection is closed after the request', answers: [['end']], expected: connection },
  { name: 'the answer is no HTTP', answers: [['SSH-2.0-OpenSSH_9.9\r\n', 'end']], expected: connection },
  { name: 'the status line is cut', answers: [['HTTP/1.1 20', 'end']], expected: connection },
  { name: 'the headers are cut', answers: [['HTTP/1.1 200 OK\r\ncontent-ty', 'end']], expected: connection },
  {
    name: 'the headers are larger than the runtime takes',
    answers: [[head(200, { 'x-large': 'x'.repeat(100_000) }), 'end']],
    expected: connection,
  },
  {
    name: 'the server closes a kept connection as the second call comes',
    answers: [[emptyList], ['reset'], [emptyList]],
    calls: 2,
    expected: { ends: 'answer', attempts: 3, value: [] },
  },
];
