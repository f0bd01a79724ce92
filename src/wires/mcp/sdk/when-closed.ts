/** A response that calls back once: when its body has ended, failed or been cancelled, or at once if it has none. */
export function whenEnded(response: Response, callback: () => void): Response {
  if (!response.body) {
    callback();
    return response;
  }
  let hasEnded = false;
  const ended = () => {
    // A cancelled stream also ends the read that waits for it.
    if (!hasEnded) callback();
    hasEnded = true;
  };
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
        } catch (thrown) {
          ended();
          throw thrown;
        }
        ended();
        controller.close();
      },
      async cancel(reason) {
        ended();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 }, // reads only when it is read
  );
  return new Response(body, response);
}
