import { addAbortSignal, type Readable } from 'node:stream';
import { usageError } from '../terminal/command-error.ts';

const longest = 65_536;

/**
 * Returns the first line of a stream, without its line end. The rest is not read.
 *
 * @throws The reason of the signal if it aborts.
 */
export async function readFirstLine(stream: Readable, signal: AbortSignal): Promise<string> {
  addAbortSignal(signal, stream);
  let text = '';
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk;
      if (text.includes('\n')) break;
      if (text.length > longest) throw usageError('--key-stdin: the first line is too long. Pass only the key.');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return text.replace(/\r?\n.*$/s, '');
}
