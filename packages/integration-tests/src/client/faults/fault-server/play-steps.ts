import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Step } from '../fault.ts';

/** A connection, with one promise for its end, so that not every step adds a listener. */
export interface Peer {
  readonly connection: Duplex;
  readonly closed: Promise<void>;
}

/** Runs the steps on a connection in sequence, until the steps or the connection end. */
export async function playSteps(peer: Peer, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (peer.connection.destroyed) return;
    await playStep(peer, step);
  }
}

export function createPeer(connection: Duplex): Peer {
  return { connection, closed: event(connection, 'close') };
}

async function playStep(peer: Peer, step: Step): Promise<void> {
  const { connection, closed } = peer;
  if (step === 'stall') return closed;
  if (step === 'end') return void connection.end();
  if (step === 'reset') return reset(connection);
  if (typeof step === 'string') return send(peer, Buffer.from(step, 'latin1'));
  if ('wait' in step) return setTimeout(step.wait);
  if ('gzip' in step) return send(peer, gzipSync(step.gzip.repeat(step.times)));
  return 'drip' in step ? repeat(peer, step.drip, step.every) : repeat(peer, step.flood, 0);
}

async function repeat(peer: Peer, text: string, every: number): Promise<void> {
  const bytes = Buffer.from(text, 'latin1');
  while (!peer.connection.destroyed) {
    await send(peer, bytes);
    if (every > 0) await setTimeout(every);
  }
}

async function send({ connection, closed }: Peer, bytes: Buffer): Promise<void> {
  if (!connection.write(bytes)) await Promise.race([event(connection, 'drain'), closed]);
}

/** Resolves when the connection closes. Unlike `once`, it does not reject if the connection fails. */
function event(connection: Duplex, name: string): Promise<void> {
  return new Promise((resolve) => void connection.once(name, resolve));
}

function reset(connection: Duplex): void {
  if (connection instanceof Socket) connection.resetAndDestroy();
  else connection.destroy();
}
