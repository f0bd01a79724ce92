import type { Node, Program } from '../compiler/program.ts';
import { splitType } from './jsdoc.ts';
import type { JsDoc } from './jsdoc.ts';
import { humanise } from './names.ts';

type Errors = Record<string, { readonly description: string }>;

const CODE = /^[A-Z][A-Z0-9_]{0,99}$/;

/** Nodes of a function that are looked at: a generated function may have millions. */
const MOST_NODES = 100_000;

/** The errors that a function declares with `@throws {CODE} text`, and those that it raises with a literal code. */
export function readErrors(declaration: Node, { tags }: JsDoc, program: Program): Errors {
  const errors = new Map<string, { description: string }>();
  for (const { name, text } of tags) {
    if (name !== 'throws' && name !== 'throw' && name !== 'exception') continue;
    const { type, rest } = splitType(text);
    const code = type ?? /^\S+/.exec(rest)?.[0] ?? '';
    if (!isCode(code)) continue;
    const description = (type === undefined ? rest.slice(code.length) : rest).replace(/^\s*-\s+/, '').trim();
    errors.set(code, { description: description || sentence(code) });
  }
  for (const [code, message] of raised(declaration.body ?? declaration.initializer, program)) {
    if (!errors.has(code)) errors.set(code, { description: message ?? sentence(code) });
  }
  return Object.fromEntries(errors);
}

const isCode = (code: string) => CODE.test(code) && code !== 'OK';
const sentence = (code: string) => `${humanise(code.toLowerCase())}.`;

/** Every `new Failure('CODE', 'message')` in a body. */
function raised(body: Node | undefined, program: Program): [string, string | undefined][] {
  const found: [string, string | undefined][] = [];
  const waiting = body ? [body] : [];
  for (let seen = 0; seen < MOST_NODES; seen++) {
    const node = waiting.pop();
    if (!node) break;
    const [code, message] = isFailure(node, program) ? (node.arguments ?? []) : [];
    if (code && program.is(code, 'StringLiteral') && isCode(code.text ?? '')) {
      const isText =
        message && (program.is(message, 'StringLiteral') || program.is(message, 'NoSubstitutionTemplateLiteral'));
      found.push([code.text!, isText ? message.text || undefined : undefined]);
    }
    const children: Node[] = [];
    node.forEachChild((child) => void children.push(child));
    waiting.push(...children.toReversed());
  }
  return found;
}

function isFailure(node: Node, program: Program): boolean {
  return program.is(node, 'NewExpression') && node.expression?.text === 'Failure';
}
