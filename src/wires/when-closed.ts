/** Calls back once the response's body has ended, failed or been cancelled; at once if it has none. */
export function whenClosed(response: Response, callback: () => void): Response {
  if (!response.body) {
    callback();
    return response;
  }
  let isClosed = false;
  const onClosed = () => {
    // Cancelling a stream also ends its pending read.
    if (!isClosed) callback();
    isClosed = true;
  };
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
        } catch (thrown) {
          onClosed();
          throw thrown;
        }
        onClosed();
        controller.close();
      },
      async cancel(reason) {
        onClosed();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 }, // reads on demand
  );
  return new Response(body, response);
}
