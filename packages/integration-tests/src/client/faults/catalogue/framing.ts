import { emptyAnswer, ends, type Fault, fault } from '../fault.ts';
import { emptyList, head, openHead } from '../http-text.ts';

const refused = ends('connection', 3);
const gzip = openHead(200, { 'content-encoding': 'gzip' });

/** Malformed or unusual HTTP. */
export const framings: readonly Fault[] = [
  fault('the response is HTTP/1.0', ['HTTP/1.0 200 OK\r\n\r\n[]', 'end'], emptyAnswer()),
  fault('the response is HTTP/0.9', ['[]', 'end'], refused),
  fault('the status line has no reason', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\n[]', emptyAnswer()),
  fault('the status has two digits', 'HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\n[]', refused),
  ...[999, 600].map((status) => {
    const expected = ends('unexpected_response', 1, { error: { status } });
    return fault(`the status is ${status}`, head(status, { 'content-length': '0' }), expected);
  }),
  fault('a 199, then nothing', [head(199), 'end'], refused),
  fault('the server switches protocols', head(101, { upgrade: 'websocket', connection: 'upgrade' }), refused),
  fault('lines end with a line feed only', 'HTTP/1.1 200 OK\ncontent-length: 2\n\n[]', refused),
  fault('a header has no colon', 'HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 2\r\n\r\n[]', refused),
  fault('a header contains a NUL', 'HTTP/1.1 200 OK\r\nx: \0\r\ncontent-length: 2\r\n\r\n[]', refused),
  fault('two Content-Lengths disagree', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]', refused),
  fault(
    'Content-Length and chunked encoding are combined',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n',
    refused,
  ),
  fault(
    'the headers are larger than the runtime accepts',
    [head(200, { 'x-large': 'x'.repeat(100_000) }), 'end'],
    refused,
  ),
  fault('the Content-Length is negative', [head(200, { 'content-length': '-2' }), '[]', 'end'], refused),
  fault('the Content-Length has 40 digits', [head(200, { 'content-length': '9'.repeat(40) }), '[]', 'end'], refused),
  fault(
    'the encoding of the body is unknown',
    [openHead(200, { 'content-encoding': 'x-fault' }), '[]', 'end'],
    emptyAnswer(),
  ),
  fault(
    'the gzip body is cut off',
    [gzip, '\x1f\x8b\x08\0', 'end'],
    ends('invalid_response', 3, { error: { reason: 'not_json' } }),
  ),
  {
    name: 'a 200 with Connection: close stays open',
    answers: [[openHead(200, { 'content-length': '2' }), '[]', 'stall'], [emptyList]],
    expected: emptyAnswer(),
  },
  fault('100 Continue arrives first', ['HTTP/1.1 100 Continue\r\n\r\n', emptyList], refused),
  fault(
    '103 Early Hints arrives first',
    ['HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n', emptyList],
    emptyAnswer(),
  ),
  fault('the body is labelled gzip and is not', [gzip, '[]', 'end'], { ...refused, says: 'failed before the body' }),
  fault('the body is gzip', [gzip, { gzip: '[]', times: 1 }, 'end'], emptyAnswer()),
];
