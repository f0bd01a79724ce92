import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Program, Type } from '../compiler/program.ts';

/** A template literal type as a pattern. */
export function readTemplate(type: Type, program: Program): JsonSchema {
  return { type: 'string', pattern: `^${source(type, program)}$` };
}

function source(type: Type, program: Program): string {
  const is = (flag: string) => program.isA(type, flag);
  if (is('TemplateLiteral')) {
    const [first = '', ...texts] = program.texts(type);
    const types = program.membersOf(type);
    return escape(first) + texts.map((text, i) => source(types[i]!, program) + escape(text)).join('');
  }
  if (is('Union'))
    return `(?:${program
      .membersOf(type)
      .map((member) => source(member, program))
      .join('|')})`;
  if (is('StringLiteral') || is('NumberLiteral') || is('BooleanLiteral') || is('BigIntLiteral')) {
    return escape(String(program.literal(type)));
  }
  if (is('Number')) return String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
  if (is('BigInt')) return String.raw`-?\d+`;
  return String.raw`[\s\S]*`;
}

/** `-` need not be escaped outside of a class, and must not be with the flag u. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
