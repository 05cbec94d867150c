import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { onTestFinished } from 'vitest';
import { begin } from '../serving/begin.ts';
import { type ServeProcess, startServe } from '../serving/start-serve.ts';

/** A list that is larger than the buffers of two sockets, so that it stays in flight until it is read. */
export interface LargeLists {
  server: ServeProcess;
  key: string;
  /** Receives the beginning of the list, and then stops reading. */
  begin(): Promise<IncomingMessage>;
  /** Resolves when new connections are rejected. */
  refuses(): Promise<void>;
}

/** Number of memories of a large list, of 8 kB each. */
export const largeListLength = 2_000;

export async function serveLargeLists(): Promise<LargeLists> {
  const folder = makeFolder();
  const db = join(folder, 'memories.sqlite');
  const key = await fill(db);
  const server = await startServe(['--db', db, '--media-dir', folder]);
  onTestFinished(server.close);
  return {
    server,
    key,
    begin: () => begin(`${server.baseUrl}/v1/memories`, key),
    async refuses() {
      while (await accepts(Number(new URL(server.baseUrl).port))) await setTimeout(10);
    },
  };
}

/** Reads a list to its end and returns its ids. Rejects if the list is cut off. */
export async function idsOf(response: IncomingMessage): Promise<string[]> {
  return ((await json(response)) as { id: string }[]).map(({ id }) => id);
}

async function fill(db: string): Promise<string> {
  const store = openSqliteStore({ path: db });
  const name = 'x'.repeat(8_000);
  const records = Array.from({ length: largeListLength }, (_, index) => sampleRecord({ id: `mem_${index}`, name }));
  const { key } = await addAccount(store, 'ada', records);
  await store.close();
  return key;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
