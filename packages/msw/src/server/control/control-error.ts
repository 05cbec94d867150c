/** An error of the control API that no control throws in process. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function isControlError(value: unknown): value is ControlError {
  return Object(value).name === 'ControlError';
}
