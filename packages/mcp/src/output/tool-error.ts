/** An error whose message is written for the model. It holds nothing of the input and nothing of the service. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
