import type { Program, Type } from '../compiler/program.ts';

/** A name for a definition: that of the alias, the interface or the class, with its type arguments. */
export function nameOfType(type: Type, program: Program, levels = 2): string {
  const alias = program.aliasOf(type);
  const name = alias?.name ?? program.symbolOf(type)?.name ?? '';
  if (!/^[A-Za-z]\w*$/.test(name)) return primitiveName(type, program);
  const isReference = program.isA(type, 'Object') && levels > 0;
  const types = alias ? program.aliasArguments(type) : isReference ? program.typeArguments(type) : [];
  const inner = types.slice(0, 3).map((one) => nameOfType(one, program, levels - 1));
  // An interface has itself (`this`) as its last type argument.
  return [name, ...inner.filter((one) => one !== name)].join('_').slice(0, 80);
}

function primitiveName(type: Type, program: Program): string {
  const text = program.text(type);
  return /^[A-Za-z]\w*$/.test(text) ? text : 'Type';
}

/** `listOrders` as a sentence: `List orders`. */
export function humanise(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[_.\-$]+/g, ' ')
    .trim()
    .split(' ')
    .map((word, i) => (i === 0 || /^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()));
  const sentence = words.join(' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
