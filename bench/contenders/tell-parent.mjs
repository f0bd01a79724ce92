/** A contender's side of the talk: says where it listens, and leaves with its parent. */
export function tellParent(port) {
  // However the parent ends, no contender outlives it.
  process.on('disconnect', () => process.exit());
  process.send({ port });
}
