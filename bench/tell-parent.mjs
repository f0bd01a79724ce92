/** A contender's side of the talk: says where it listens, and when asked, what it has used so far. */
export function tellParent(port) {
  process.on('message', (message) => {
    if (message === 'usage') process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss });
  });
  // However the parent ends, no contender outlives it.
  process.on('disconnect', () => process.exit());
  process.send({ port });
}
