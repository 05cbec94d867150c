/** An error whose message is written for the model. It contains no text of the input or the service. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
