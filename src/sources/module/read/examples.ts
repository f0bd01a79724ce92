import { accepts } from '../../../schema/accepts.ts';
import type { FunctionDescription } from '../description.ts';
import type { JsDoc } from './jsdoc.ts';
import { readLiteral, readLiterals } from './literals.ts';

type Described = Pick<FunctionDescription, 'name' | 'parameters' | 'input' | 'result'>;
type Example = NonNullable<FunctionDescription['examples']>[number];

/** The result after a call: `// => 30`, `// 30`, `=> 30`, `→ 30`. */
const RESULT = /^\s*;?\s*(?:\/\/\s*)?(?:=>|→|->|returns?:?|\/\/)?\s*(.*?)\s*;?\s*$/s;

/** Reads `@example` tags that are a call with literals, or the arguments as JSON. Everything else is prose for people. */
export function readExamples({ tags }: JsDoc, fn: Described): Example[] {
  return tags.filter(({ name }) => name === 'example').flatMap(({ text }) => readExample(text, fn) ?? []);
}

function readExample(text: string, fn: Described): Example | undefined {
  return text.trimStart().startsWith('{') || /^```\w*\s*\{/.test(text) ? readArguments(text, fn) : readCall(text, fn);
}

/** `{ "x": 1 }`, and maybe `=> 2`. */
function readArguments(text: string, fn: Described): Example | undefined {
  const code = text.replaceAll(/^```\w*$/gm, '').trim();
  const close = endOfCall(code, 0);
  const input = close === undefined ? undefined : readLiteral(code.slice(0, close + 1));
  if (!input || !accepts(input.value, fn.input, fn.input)) return undefined;
  const output = readOutput(code.slice(close! + 1).split('\n\n')[0]!, fn);
  return { input: input.value, ...(output && { output: output.value }) };
}

function readCall(text: string, fn: Described): Example | undefined {
  const lines = text.replaceAll(/^```\w*$/gm, '').split('\n');
  const called = fn.name.split('.').at(-1)!;
  const start = lines.findIndex((line) =>
    new RegExp(`(?:^|[^\\w$])${called.replaceAll('$', String.raw`\$`)}\\(`).test(line),
  );
  if (start === -1) return undefined;
  const code = lines.slice(start).join('\n');
  const open = code.indexOf(`${called}(`) + called.length;
  const close = endOfCall(code, open);
  if (close === undefined) return undefined;
  const values = readLiterals(code.slice(open + 1, close));
  const input = values && toInput(values, fn);
  if (!input || !accepts(input, fn.input, fn.input)) return undefined;
  const title = lines
    .slice(0, start)
    .join(' ')
    .replaceAll(/<\/?caption>|^[\s/*]+/g, '')
    .trim();
  const output = readOutput(code.slice(close + 1).split('\n\n')[0]!, fn);
  return { ...(title && { title }), input, ...(output && { output: output.value }) };
}

function toInput(values: readonly unknown[], { parameters }: Described): unknown {
  const data = parameters.filter(({ kind }) => kind !== 'context');
  if (data[0]?.kind === 'input') return values.length <= 1 ? (values[0] ?? {}) : undefined;
  const fields: [string, unknown][] = [];
  for (const [i, parameter] of data.entries()) {
    if (parameter.kind !== 'property') continue;
    if (parameter.isRest) fields.push([parameter.name, values.slice(i)]);
    else if (i < values.length) fields.push([parameter.name, values[i]]);
  }
  const hasRest = data.some((parameter) => parameter.kind === 'property' && parameter.isRest);
  return values.length > data.length && !hasRest ? undefined : Object.fromEntries(fields);
}

function readOutput(after: string, { result }: Described): { value: unknown } | undefined {
  const literal = readLiteral(RESULT.exec(after)?.[1] ?? '');
  if (!literal || result.kind === 'none') return undefined;
  if (result.kind === 'one') return accepts(literal.value, result.schema, result.schema) ? literal : undefined;
  const { value } = literal;
  const isFit =
    Array.isArray(value) &&
    value.length === result.schemas.length &&
    result.schemas.every((schema, i) => accepts(value[i], schema, schema));
  return isFit ? literal : undefined;
}

/** Where the arguments end: the parenthesis that closes the one at `open`. */
function endOfCall(code: string, open: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (let at = open; at < code.length; at++) {
    const character = code[at]!;
    if (quote !== undefined) {
      if (character === '\\') at++;
      else if (character === quote) quote = undefined;
    } else if ('"\'`'.includes(character)) quote = character;
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth === 0) return at;
  }
  return undefined;
}
