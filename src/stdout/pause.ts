const nothing = new Int32Array(new SharedArrayBuffer(4));

/** For code that can only wait: a descriptor that was made non-blocking has nothing yet, or no room. */
export function pauseBriefly(): void {
  Atomics.wait(nothing, 0, 0, 5);
}
