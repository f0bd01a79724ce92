import type { Node, Program } from '../compiler/program.ts';
import { toKebabCase } from '../../../core/names.ts';
import type { FunctionDescription } from '../description.ts';
import { splitType } from './jsdoc.ts';
import type { JsDoc } from './jsdoc.ts';
import { humanise } from './names.ts';

type Errors = NonNullable<FunctionDescription['errors']>;

const CODE = /^[A-Z][A-Z0-9_]{0,99}$/;

/** `NotEnough`, or `errors.NotEnough`. */
const CLASS = /^(?:[\w$]+\.)*([A-Za-z_$][\w$]*)$/;

/** Nodes of a function that are looked at: a generated function may have millions. */
const MOST_NODES = 100_000;

/** `409 When …`: only these can be the status of an error. */
const STATUS = /^([45]\d\d)(?:\s+|$)/;

/**
 * The errors that a function declares with `@throws {CODE} text` or `@throws {Class} 409 text`, and those that it raises
 * with a literal code.
 */
export function readErrors(declaration: Node, { tags }: JsDoc, program: Program): Errors {
  const errors = new Map<string, Errors[string]>();
  for (const { name, text } of tags) {
    if (name !== 'throws' && name !== 'throw' && name !== 'exception') continue;
    const { type, rest } = splitType(text);
    const thrown = type ?? /^\S+/.exec(rest)?.[0] ?? '';
    const said = (type === undefined ? rest.slice(thrown.length) : rest).replace(/^\s*-\s+/, '').trim();
    const status = STATUS.exec(said)?.[1];
    // Many comments name a class for people: only one with a status is for callers.
    const className = type !== undefined && status !== undefined && !isCode(type) ? CLASS.exec(type)?.[1] : undefined;
    const code = className === undefined ? thrown : codeOf(className);
    if (!isCode(code)) continue;
    const description = said.replace(STATUS, '').replace(/^-\s+/, '');
    errors.set(code, {
      description: description || sentence(code),
      ...(status !== undefined && { status: Number(status) }),
      ...(className !== undefined && { class: className }),
    });
  }
  for (const [code, message] of raised(declaration.body ?? declaration.initializer, program)) {
    if (!errors.has(code)) errors.set(code, { description: message ?? sentence(code) });
  }
  return Object.fromEntries(errors);
}

const isCode = (code: string) => CODE.test(code) && code !== 'OK';
/** `NOT_ENOUGH` for NotEnough. */
const codeOf = (className: string) => toKebabCase(className).replaceAll(/\W+/g, '_').toUpperCase();
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
