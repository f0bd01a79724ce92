const HEAD = ['', 'requests/s', 'ratio', 'CPU µs/request', 'ratio', 'RSS MiB', 'busy'];

/** What servers that do the same job cost; the first of them is the limit. */
export function serverTable(caption, servers, notes = []) {
  const [limit] = servers;
  const rows = servers.map(({ name, rate, cpu, rss, busy }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    (rate / limit.rate).toFixed(2),
    cpu.toFixed(1),
    (cpu / limit.cpu).toFixed(2),
    (rss / 2 ** 20).toFixed(0),
    `${(busy * 100).toFixed(0)} %`,
  ]);
  return { caption, head: HEAD, rows, notes };
}
