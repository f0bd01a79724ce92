/** A contender's side of the talk: says where it listens and what it must be sent, and leaves with its parent. */
export function tellParent(port, headers) {
  // However the parent ends, no contender outlives it.
  process.on('disconnect', () => process.exit());
  process.send({ port, headers });
}
