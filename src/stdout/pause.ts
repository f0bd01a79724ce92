const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Blocks for 5 ms. For synchronous code that meets EAGAIN: a non-blocking descriptor has no data yet, or no room. */
export function pauseBriefly(): void {
  Atomics.wait(nothing, 0, 0, 5);
}
