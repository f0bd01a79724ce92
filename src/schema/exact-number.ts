/**
 * Whether a number in JSON means the number that JavaScript reads. A fraction may have more digits than a double: some
 * languages write 0.1 with twenty of them, and mean the double. An integer means itself, and nothing but zero is zero.
 */
export function isExact(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return !/[1-9]/.test(token.split(/e/i, 1)[0]!);
  return (
    /[.eE]/.test(token) ||
    token.length < 16 ||
    BigInt(token) === BigInt(number) ||
    // As JavaScript writes it, if not as it is: 1e17 + 2 is exact for whoever reads doubles.
    canonical(token) === canonical(String(number))
  );
}

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
