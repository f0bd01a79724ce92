/** The first 32 bits of the fractional parts of roots of the first primes: square roots for the start, cube roots for the rounds. */
const [START, ROUNDS] = constants();

/**
 * SHA-256 in hexadecimal. Browsers have it only for pages of this machine and of HTTPS; the console may be neither.
 */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = globalThis.isSecureContext
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : computed(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** FIPS 180-4, section 6.2. */
export function computed(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const input = new DataView(padded.buffer);
  input.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const hash = START.slice();
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = input.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const [near, far] = [words[i - 15]!, words[i - 2]!];
      const first = turn(near, 7) ^ turn(near, 18) ^ (near >>> 3);
      const second = turn(far, 17) ^ turn(far, 19) ^ (far >>> 10);
      words[i] = words[i - 16]! + first + words[i - 7]! + second;
    }
    mix(hash, words);
  }
  const output = new DataView(new ArrayBuffer(32));
  for (const [i, word] of hash.entries()) output.setUint32(i * 4, word);
  return new Uint8Array(output.buffer);
}

function mix(hash: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[i]! + words[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i]! += word;
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function constants(): readonly [start: Uint32Array, rounds: Uint32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return [
    Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  ];
}

function fraction(root: number): number {
  return (root % 1) * 2 ** 32;
}
