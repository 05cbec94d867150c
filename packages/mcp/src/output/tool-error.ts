/** An error whose message is written for the model. It contains no text of the input or the service. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export function isToolError(error: unknown): error is ToolError {
  return Object(error).name === 'ToolError';
}
