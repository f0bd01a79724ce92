import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Program, Type } from '../compiler/program.ts';
import { Refused } from './refused.ts';
import { isPrimitive } from './primitives.ts';

/**
 * A template literal type as a pattern. Like the compiler, each type takes what is before the first occurrence of the text that
 * follows, and nothing is tried twice: the time that a pattern takes grows with the length of the string only.
 */
export function readTemplate(type: Type, program: Program, node: Node | undefined): JsonSchema {
  const [first = '', ...texts] = program.texts(type);
  const types = program.membersOf(type).map((part) => settled(part, program));
  let groups = 0;
  const parts = texts.map((text, i) => {
    const isLast = i === texts.length - 1;
    const part = isLast ? rest(types[i]!, program, node) : before(text, types[i]!, program, node, groups + 1);
    if (part.includes('(?=(')) groups++;
    return part + escape(text);
  });
  return { type: 'string', pattern: `^${escape(first)}${parts.join('')}$` };
}

/** `Uppercase<string>` and the like as a pattern. */
export function readMapping(type: Type, program: Program, node: Node | undefined): JsonSchema {
  return { type: 'string', pattern: `^${rest(type, program, node)}$` };
}

/** What the last type takes: everything up to the end. */
function rest(type: Type, program: Program, node: Node | undefined): string {
  if (program.isA(type, 'Number')) return NUMBER;
  if (program.isA(type, 'BigInt')) return WHOLE;
  const { start, character } = charactersOf(type, program, node);
  return `${start}${character ?? ANY}*`;
}

/** What a type takes before a text. Between two types without a text, the first takes one character. */
function before(text: string, type: Type, program: Program, node: Node | undefined, group: number): string {
  if (program.isA(type, 'Number') || program.isA(type, 'BigInt')) {
    return numberBefore(text, program.isA(type, 'BigInt'), node);
  }
  const { start, character } = charactersOf(type, program, node);
  if (text === '') return start + (character ?? ANY);
  if (Array.from(text).length === 1) return `${start}[^${character ? CHANGED[character]! : ''}${escape(text)}]*`;
  if (character) return `${start}(?:(?!${escape(text)})${character})*`;
  // The reference takes what was found as a whole, so that nothing shorter or longer is tried.
  return `${start}(?=(${ANY}*?)${escape(text)})\\${group}`;
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const WHOLE = String.raw`-?(?:0|[1-9]\d*)`;
const ANY = String.raw`[\s\S]`;
const UPPER = String.raw`\P{Changes_When_Uppercased}`;
const LOWER = String.raw`\P{Changes_When_Lowercased}`;
/** The characters that a class excludes. */
const CHANGED: Readonly<Record<string, string>> = {
  [UPPER]: UPPER.replace('P', 'p'),
  [LOWER]: LOWER.replace('P', 'p'),
};

interface Characters {
  /** What the first character must be, if there is one. */
  readonly start: string;
  /** A class, if not every character is allowed. */
  readonly character?: string;
}

function charactersOf(type: Type, program: Program, node: Node | undefined): Characters {
  if (program.isA(type, 'StringMapping')) {
    const text = program.text(type);
    const name = program.symbolOf(type)?.name ?? text.split('<')[0];
    if (text.split('<').length > 2) throw new Refused(`${text} has no form in JSON; use string`, node);
    if (name === 'Uppercase') return { start: '', character: UPPER };
    if (name === 'Lowercase') return { start: '', character: LOWER };
    if (name === 'Capitalize') return { start: `(?!${CHANGED[UPPER]})` };
    if (name === 'Uncapitalize') return { start: `(?!${CHANGED[LOWER]})` };
  }
  if (program.isA(type, 'String') || program.isA(type, 'Any')) return { start: '' };
  throw new Refused(`${program.text(type)} in a template has no form in JSON; use string`, node);
}

/** A number, which must end where the text that follows is first found. */
function numberBefore(text: string, isWhole: boolean, node: Node | undefined): string {
  if (text === '') return String.raw`\d`;
  if (text === '-') return isWhole ? WHOLE.slice(2) : String.raw`\d+(?:\.\d+)?(?:[eE]\+?\d+)?`;
  if (text === '.' && !isWhole) return String.raw`-?\d+(?:[eE][+-]?\d+)?`;
  if (!(isWhole ? /^[\d-]/ : /^[\d.eE+-]/).test(text)) return isWhole ? WHOLE : NUMBER;
  throw new Refused(`A number before ${JSON.stringify(text)} in a template cannot be told apart; use string`, node);
}

/** What a type parameter or a type with a brand stands for in a template. */
function settled(type: Type, program: Program): Type {
  if (program.isA(type, 'Intersection'))
    return program.membersOf(type).find((one) => isPrimitive(one, program)) ?? type;
  return program.isA(type, 'TypeParameter') ? (program.constraintOf(type) ?? type) : type;
}

/** `-` need not be escaped outside of a class, and must not be with the flag u. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
