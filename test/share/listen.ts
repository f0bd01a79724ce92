/** The messages of an event stream, as they arrive. */
export interface Listener {
  /** Undefined if the stream has ended. */
  next(): Promise<any>;
  take(count: number): Promise<any[]>;
  close(): Promise<void>;
}

export function listenTo(response: Response): Listener {
  if (response.status !== 200) throw new Error(`not a stream: ${response.status}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<any> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      const event = end < 0 ? undefined : text.slice(0, end);
      if (event !== undefined) text = text.slice(end + 2);
      const data = event && /^data: (.+)$/m.exec(event)?.[1];
      if (data) return JSON.parse(data) as unknown;
      if (event !== undefined) continue; // a comment
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    next,
    async take(count) {
      const taken: any[] = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    close: () => reader.cancel(),
  };
}
