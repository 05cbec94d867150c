import type { Expectation, Fault } from '../fault.ts';
import { emptyList, head, openHead } from '../http-text.ts';

const emptyAnswer: Expectation = { ends: 'answer', attempts: 1, value: [] };
const refused: Expectation = { ends: 'connection', attempts: 3 };

/** HTTP that is bent, and who takes it. */
export const framings: readonly Fault[] = [
  { name: 'the answer is HTTP/1.0', answers: [['HTTP/1.0 200 OK\r\n\r\n[]', 'end']], expected: emptyAnswer },
  { name: 'the answer is HTTP/0.9', answers: [['[]', 'end']], expected: refused },
  {
    name: 'the status line has no reason',
    answers: [['HTTP/1.1 200\r\ncontent-length: 2\r\n\r\n[]']],
    expected: emptyAnswer,
  },
  {
    name: 'the status has two digits',
    answers: [['HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\n[]']],
    expected: refused,
  },
  { name: 'the status is 999', answers: [[head(999, { 'content-length': '0' })]], expected: unexpected(999) },
  { name: 'the status is 600', answers: [[head(600, { 'content-length': '0' })]], expected: unexpected(600) },
  { name: 'a 199 comes, and nothing after it', answers: [[head(199), 'end']], expected: refused },
  {
    name: 'the server switches protocols',
    answers: [[head(101, { upgrade: 'websocket', connection: 'upgrade' })]],
    expected: refused,
  },
  {
    name: 'lines end with a line feed alone',
    answers: [['HTTP/1.1 200 OK\ncontent-length: 2\n\n[]']],
    expected: refused,
  },
  {
    name: 'a header has no colon',
    answers: [['HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 2\r\n\r\n[]']],
    expected: refused,
  },
  {
    name: 'a header holds a NUL',
    answers: [['HTTP/1.1 200 OK\r\nx: \0\r\ncontent-length: 2\r\n\r\n[]']],
    expected: refused,
  },
  {
    name: 'two Content-Lengths disagree',
    answers: [['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]']],
    expected: refused,
  },
  {
    name: 'Content-Length and chunks come together',
    answers: [['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n']],
    expected: refused,
  },
  {
    name: 'the Content-Length is negative',
    answers: [[head(200, { 'content-length': '-2' }), '[]', 'end']],
    expected: refused,
  },
  {
    name: 'the Content-Length is absurd',
    answers: [[head(200, { 'content-length': '9'.repeat(40) }), '[]', 'end']],
    expected: refused,
  },
  {
    name: 'the encoding of the body is unknown',
    answers: [[openHead(200, { 'content-encoding': 'x-fault' }), '[]', 'end']],
    expected: emptyAnswer,
  },
  {
    name: 'the gzip of a body is cut',
    answers: [[openHead(200, { 'content-encoding': 'gzip' }), '\x1f\x8b\x08\0', 'end']],
    expected: { ends: 'invalid_response', attempts: 3, error: { reason: 'not_json' } },
  },
  {
    name: 'a 200 says that it is closed and stays open',
    answers: [[openHead(200, { 'content-length': '2' }), '[]', 'stall'], [emptyList]],
    expected: emptyAnswer,
  },
  {
    name: '100 Continue comes first',
    answers: [['HTTP/1.1 100 Continue\r\n\r\n', emptyList]],
    expected: refused,
  },
  {
    name: '103 Early Hints comes first',
    answers: [['HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n', emptyList]],
    expected: emptyAnswer,
  },
  {
    name: 'the body is said to be gzip and is not',
    answers: [[openHead(200, { 'content-encoding': 'gzip' }), '[]', 'end']],
    expected: { ...refused, says: 'within the body' },
  },
  {
    name: 'the body is gzip',
    answers: [[openHead(200, { 'content-encoding': 'gzip' }), { gzip: '[]', times: 1 }, 'end']],
    expected: emptyAnswer,
  },
];

function unexpected(status: number): Expectation {
  return { ends: 'unexpected_response', attempts: 1, error: { status } };
}
