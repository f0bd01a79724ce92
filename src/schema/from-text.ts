/** A text that stands for a number, as that number, if nothing is lost on the way. */
export function numberFromText(text: string): number | undefined {
  if (text.length > LONGEST || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || canonical(text) !== canonical(String(number))) return undefined;
  return number === 0 ? 0 : number; // "-0" is zero
}

// No number takes more digits than this to say exactly; a longer text would only take long to read.
const LONGEST = 400;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Sign, significant digits and exponent: equal for `1.50`, `1.5` and `15e-1`. */
function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${trimmed}e${scale}`;
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function booleanFromText(text: string): boolean | undefined {
  return BOOLEANS.get(text);
}

/** A text that holds a JSON object or array, as that value. */
export function structureFromText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
