/**
 * Whether JavaScript reads a JSON number without changing what was meant. A fraction may have more digits than a double
 * holds: some languages write 0.1 with twenty digits and mean the double. An integer must be exact, unless it is
 * written as JavaScript would write the double (1.7976931348623157e308). Only zero may become zero.
 */
export function isExact(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return !/[1-9]/.test(token.split(/e/i, 1)[0]!);
  if (Math.abs(number) < 2 ** 53) return true;
  // Longer tokens are never exact, and BigInt would be slow on them.
  if (token.length > LONGEST_NUMBER) return false;
  const meant = canonical(token);
  const [digits = '', scale = ''] = meant.split('e');
  if (Number(scale) < 0 || meant === canonical(String(number))) return true;
  return BigInt(digits) * 10n ** BigInt(scale) === BigInt(number);
}

/** The exact decimal notation of a double is never longer. */
export const LONGEST_NUMBER = 400;

/** Sign, significant digits and exponent: equal for `1.50`, `1.5` and `15e-1`. */
export function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${trimmed}e${scale}`;
}
