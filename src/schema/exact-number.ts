/**
 * Whether a number in JSON means the number that JavaScript reads. A fraction may have more digits than a double: some
 * languages write 0.1 with twenty of them, and mean the double. An integer means itself, however it is written, unless
 * it is written as JavaScript would (1.7976931348623157e308); and nothing but zero is zero.
 */
export function isExact(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return !/[1-9]/.test(token.split(/e/i, 1)[0]!);
  if (Math.abs(number) < 2 ** 53) return true;
  // No double has more digits before its point than this; a longer one would only take long to read.
  if (token.length > LONGEST) return false;
  const meant = canonical(token);
  const [digits = '', scale = ''] = meant.split('e');
  if (Number(scale) < 0 || meant === canonical(String(number))) return true;
  return BigInt(digits) * 10n ** BigInt(scale) === BigInt(number);
}

/** No number takes more characters than this to say exactly. */
export const LONGEST = 400;

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
