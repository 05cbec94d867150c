import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pause, reset, send } from './wire-connection.ts';
import type { Step } from './wire-fault.ts';
import type { ConnectionTurn, WireEnd } from './wire-turn.ts';

/** Runs the steps on a connection in sequence, until the steps or the connection end. */
export async function playSteps(turn: ConnectionTurn, steps: readonly Step[]): Promise<WireEnd> {
  const { connection, places } = turn;
  const sendBytes = createSender(turn);
  const toBytes = (text: string) =>
    Buffer.from(text.replaceAll('{origin}', places.origin).replaceAll('{elsewhere}', places.elsewhere), 'latin1');
  for (const step of steps) {
    if (step === 'end') {
      connection.socket.end();
      return 'fault';
    }
    if (step === 'reset') {
      await reset(connection);
      return 'fault';
    }
    if (step === 'stall') {
      turn.stalls();
      await connection.closed;
    } else if (typeof step === 'string') await sendBytes(toBytes(step));
    else if ('wait' in step) await pause(connection, step.wait);
    else if (!('gzip' in step)) {
      const bytes = toBytes('drip' in step ? step.drip : step.flood.repeat(Math.ceil(FLOOD_PIECE / step.flood.length)));
      while (await sendBytes(bytes)) if ('drip' in step) await pause(connection, step.every);
    } else for await (const bytes of compressed(toBytes(step.gzip), step.times)) if (!(await sendBytes(bytes))) break;
    if (connection.socket.destroyed) return 'aborted';
  }
  return 'sent';
}

const FLOOD_PIECE = 65_536;

/** Returns a function that sends bytes, and counts what follows the head. */
function createSender({ connection, progress }: ConnectionTurn): (bytes: Buffer) => Promise<boolean> {
  let head = '';
  return async (bytes) => {
    if (!(await send(connection, bytes))) return false;
    if (progress.status !== null) {
      progress.bytes += bytes.length;
    } else if (head.length < MAX_HEAD) {
      head += bytes.toString('latin1');
      const [{ length } = '', status] = wholeHead.exec(head) ?? [];
      if (status === undefined) return true;
      progress.status = Number(status);
      progress.bytes = head.length - length;
    }
    return true;
  };
}

/** A head that has grown longer without an end is not searched for one. */
const MAX_HEAD = 65_536;
/** The head of a response, after those of informational ones. */
const wholeHead = /^(?:HTTP\/1\.\d 1\d\d.*?\r\n\r\n)*HTTP\/1\.\d ([2-9]\d\d).*?\r\n\r\n/s;

/** Compresses in parts, because the whole can be hundreds of megabytes. */
function compressed(bytes: Buffer, times: number): AsyncIterable<Buffer> {
  return Readable.from(Array.from({ length: times }, () => bytes)).pipe(createGzip());
}
