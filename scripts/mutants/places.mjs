// Finds what can be changed in a TypeScript file, one operator at a time, and writes files that contain many changes of
// which the environment variable EVERYWIRE_MUTANT selects one: so they are compiled once.
import { parseAst } from 'rolldown/parseAst';
import { createSwitch } from './switch.mjs';

const SWAPPED = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '+=': '-=',
  '-=': '+=',
  every: 'some',
  some: 'every',
};

/** Expressions that TypeScript wraps in types. Every other node of TypeScript is a type. */
const WITH_TYPES = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSParameterProperty']);
const TYPES = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'implements',
]);

/** Each mutant of a file: the range that it replaces, and with what. */
export function findMutants(file, source) {
  const mutants = [];
  let isStatic; // evaluated once, when the module is loaded
  const add = (kind, node, text) => {
    const before = source.slice(node.start, node.end);
    const lines = source.slice(0, node.start).split('\n');
    mutants.push({
      file,
      kind,
      start: node.start,
      end: node.end,
      text,
      isStatic,
      place: `${lines.length}:${lines.at(-1).length + 1}`,
      line: source.split('\n')[lines.length - 1].trim(),
      change: `${shorten(before)} → ${shorten(text === '' ? "''" : text)}`,
    });
  };
  visit(parse(file, source), (node, parents) => {
    isStatic = !parents.some(({ type, static: isOfClass }) => /Function/.test(type) || isOfClass === false);
    mutate(node, parents, (from) => source.slice(from.start, from.end), add);
  });
  return mutants;
}

/** Places at the beginning of each function, which only show that a file is used. */
export function findProbes(file, source, number) {
  const probes = [];
  visit(parse(file, source), ({ type, body }) => {
    if (type === 'ArrowFunctionExpression' && body.type !== 'BlockStatement')
      probes.push({ number, start: body.start, end: body.end, text: 'undefined' });
    else if (/Function/.test(type) && body) probes.push({ number, start: body.start + 1, end: body.start + 1 });
  });
  return probes;
}

function parse(file, source) {
  return parseAst(source, { lang: 'ts', sourceType: 'module' }, file);
}

/** Visits every node that is executed, parents first. */
function visit(node, see, parents = []) {
  if (node.type.startsWith('TS') && !WITH_TYPES.has(node.type)) return;
  see(node, parents);
  for (const [key, value] of Object.entries(node))
    if (!TYPES.has(key))
      for (const child of [value].flat()) if (typeof child?.type === 'string') visit(child, see, [...parents, node]);
}

function mutate(node, parents, text, add) {
  const { type, operator, left, right, argument, expression } = node;
  const parent = parents.at(-1);
  if (type === 'LogicalExpression') add('logic', node, `(${text(left)}) ${SWAPPED[operator]} (${text(right)})`);
  if (type === 'BinaryExpression' && SWAPPED[operator] && (operator !== '+' || isNumber(left) || isNumber(right)))
    add(
      /[=<>]/.test(operator) ? 'comparison' : 'arithmetic',
      node,
      `${text(left)} ${SWAPPED[operator]} ${text(right)}`,
    );
  if (type === 'AssignmentExpression' && SWAPPED[operator] && isNumber(right))
    add('arithmetic', node, `${text(left)} ${SWAPPED[operator]} ${text(right)}`);
  if (type === 'UnaryExpression' && operator === '!') add('logic', node, text(argument));
  if (type === 'IfStatement' || type === 'ConditionalExpression') {
    add('condition', node.test, 'false');
    // Without `else`, an `if` whose condition is true often only does again what has been done.
    add('condition', node.test, 'true');
  }
  if (type === 'WhileStatement') add('condition', node.test, 'false');
  if (type === 'Literal' && !isKey(node, parent)) {
    if (typeof node.value === 'boolean' && !isName(parents)) add('constant', node, String(!node.value));
    if (typeof node.value === 'number') add('constant', node, `${node.raw} + 1`);
    if (typeof node.value === 'number') add('constant', node, `${node.raw} - 1`);
    if (typeof node.value === 'string' && node.value && !isSource(parent) && !isMessage(node, parents))
      add('string', node, "''");
  }
  if (type === 'ExpressionStatement' && isCall(expression)) add('call', expression, 'undefined');
  const call = type === 'ChainExpression' ? expression : parent?.type === 'ChainExpression' ? undefined : node;
  const method =
    call?.type === 'CallExpression' && call.callee.type === 'MemberExpression' ? call.callee.property : undefined;
  if (method?.name === 'every' || method?.name === 'some') {
    const at = method.start - node.start;
    add('logic', node, text(node).slice(0, at) + SWAPPED[method.name] + text(node).slice(at + method.name.length));
  }
}

/** Whether it is a number for certain: `+` also joins strings. */
function isNumber(node) {
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type === 'MemberExpression') return ['length', 'byteLength', 'size'].includes(node.property.name);
  return (
    node.type === 'BinaryExpression' && (/[-*/]/.test(node.operator) || isNumber(node.left) || isNumber(node.right))
  );
}

function isKey(node, parent) {
  return /Property|MethodDefinition/.test(parent.type) && parent.key === node;
}

/** `{ url: true } satisfies Known<Options>`: only the names are used. */
function isName(parents) {
  const table = parents.at(-3);
  return (
    parents.at(-1).type === 'Property' &&
    table?.type === 'TSSatisfiesExpression' &&
    table.typeAnnotation.typeName?.name.startsWith('Known')
  );
}

function isSource({ type, directive }) {
  return /^(?:Import|Export)/.test(type) || directive !== undefined;
}

/** Texts for people, and what is thrown. */
function isMessage({ value }, parents) {
  const isThrown = parents.some(
    ({ type, callee }) => type === 'ThrowStatement' || /(?:Error|Fault)$/.test(callee?.name ?? ''),
  );
  return isThrown || value.split(' ').length > 3;
}

function isCall({ type, argument, expression, callee }) {
  if (type === 'AwaitExpression') return isCall(argument);
  if (type === 'ChainExpression') return isCall(expression);
  return type === 'CallExpression' && callee.type !== 'Super';
}

function shorten(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 40)} … ${line.slice(-16)}` : line;
}

/** The file with all of these mutants, which have numbers. Lines keep their numbers, unless a mutant has several. */
export function withMutants(source, mutants) {
  const outerFirst = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const line = `const everywireMutant = (${createSwitch.toString()})();`.replaceAll(/\n\s*/g, ' ');
  return `${line}${render(source, outerFirst, 0, source.length)}`;
}

function render(source, mutants, start, end) {
  let text = '';
  let at = start;
  for (let i = 0; i < mutants.length;) {
    const outer = mutants[i];
    if (outer.start === outer.end) {
      text += `${source.slice(at, outer.start)}everywireMutant(${outer.number});`;
      at = outer.start;
      i++;
      continue;
    }
    const within = mutants.slice(i).filter((one) => one.start < outer.end);
    const same = within.filter((one) => one.start === outer.start && one.end === outer.end);
    const inner = render(source, within.slice(same.length), outer.start, outer.end);
    const choices = same.map((one) => `everywireMutant(${one.number}) ? (${one.text}) : `).join('');
    text += `${source.slice(at, outer.start)}(${choices}${inner})`;
    at = outer.end;
    i += within.length;
  }
  return text + source.slice(at, end);
}
