import { gzipSync } from 'node:zlib';
import { pause, reset, send } from './wire-connection.ts';
import type { Step } from './wire-fault.ts';
import type { ConnectionTurn, WireEnd } from './wire-turn.ts';

/** Runs the steps on a connection in sequence, until the steps or the connection end. */
export async function playSteps(turn: ConnectionTurn, steps: readonly Step[]): Promise<WireEnd> {
  const { connection } = turn;
  const sendText = createTextSender(turn);
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
    } else if (typeof step === 'string') await sendText(step);
    else if ('wait' in step) await pause(connection, step.wait);
    else if ('gzip' in step) await sendText(step.gzip, (bytes) => gzipSync(repeated(bytes, step.times)));
    else if ('drip' in step) while (await sendText(step.drip)) await pause(connection, step.every);
    else while (await sendText(step.flood));
    if (connection.socket.destroyed) return 'aborted';
  }
  return 'sent';
}

type SendText = (text: string, encode?: (bytes: Buffer) => Buffer) => Promise<boolean>;

/** Returns a function that sends texts, one byte for each character, and counts what follows the head. */
function createTextSender({ connection, places, progress }: ConnectionTurn): SendText {
  let head = '';
  return async (text, encode = (bytes) => bytes) => {
    const filled = text.replaceAll('{origin}', places.origin).replaceAll('{elsewhere}', places.elsewhere);
    const bytes = encode(Buffer.from(filled, 'latin1'));
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

function repeated(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
}
