import type { PostgresConnection } from './postgres-pool.ts';

/** Whether a connection was lost while no statement ran on it. */
export interface ConnectionLoss {
  reason?: Error;
  stopWatching(): void;
}

/** Listens for the loss of a connection that is held between two statements. Without a listener, it ends the process. */
export function watchForLoss(connection: PostgresConnection, onLoss?: (error: Error) => void): ConnectionLoss {
  const onError = (error: Error) => {
    loss.reason ??= error;
    onLoss?.(error);
  };
  const loss: ConnectionLoss = { stopWatching: () => connection.removeListener?.('error', onError) };
  connection.on?.('error', onError);
  return loss;
}
