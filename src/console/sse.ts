export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a response. Not EventSource, which cannot send a token and would repeat a call. */
export async function* eventsIn(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let parts: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parts.push(value);
      // Only where an event may end: joining a long one again with every chunk would take for ever.
      if (!value.includes('\n')) continue;
      const blocks = parts.join('').split('\n\n');
      parts = [blocks.pop() ?? ''];
      for (const block of blocks) {
        const lines = block.split('\n');
        const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
        const event = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? 'message';
        if (data.length > 0) yield { event, data: data.join('\n') };
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
