/**
 * A response whose body, when it fails, takes the connection with it.
 *
 * The adapter reads ahead of sending headers, and would answer a failure there with a complete 500 that holds the
 * error's message. Here the socket is gone before the adapter can see that anything failed.
 */
export function breakOffOnFailure(response: Response, breakOff: () => void): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        breakOff();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}
