/** How numbers are shown. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 ** 2 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 ** 2).toFixed(1)} MiB`;
}

export function milliseconds(duration: number): string {
  if (duration < 10) return `${duration.toFixed(1)} ms`;
  if (duration < 1000) return `${Math.round(duration)} ms`;
  if (duration < 60_000) return `${(duration / 1000).toFixed(2)} s`;
  return `${Math.floor(duration / 60_000)} min ${Math.floor((duration % 60_000) / 1000)} s`;
}

/** A time in the time zone of the reader, as the charts. */
export function clock(time: string): string {
  const date = new Date(time);
  return `${date.toLocaleTimeString('en-GB')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Four characters are about one token of English and JSON. */
export const tokensOf = (definition: object): number => Math.ceil(JSON.stringify(definition).length / 4);

/** JSON for people; as it is, if it is none, or too long to be parsed while somebody waits. */
export function pretty(text: string): string {
  if (text.length > 1_000_000) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
