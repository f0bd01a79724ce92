const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required });

const circle = object({ kind: { const: 'circle' }, radius: { type: 'number' } });
const square = object({ kind: { const: 'square' }, side: { type: 'number' } });

/** Words, a schema, a value that it accepts, and by JSON pointer the branch of a union to choose on the way to it. */
const table: readonly (readonly [string, object, unknown, Record<string, number>?])[] = [
  ['integer', integer, 7],
  ['negative integer', integer, -3],
  ['integer with limits', { type: 'integer', minimum: 1, maximum: 10 }, 10],
  ['number', { type: 'number' }, 1.5],
  ['tiny number', { type: 'number' }, 1e-7],
  ['large number', { type: 'number' }, 9007199254740991],
  ['number with default', { type: 'number', default: 3 }, 4],
  ['false', { type: 'boolean' }, false],
  ['string', text, 'hello'],
  ['string with quotes', text, `it's "quoted" \\ and $HOME \`x\``],
  ['markup', text, '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['long string', { type: 'string', maxLength: 5000 }, 'line\nline'],
  ['empty string', { type: 'string', maxLength: 3 }, ''],
  ['pattern', { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$' }, 'AB-12'],
  ['email', { type: 'string', format: 'email' }, 'ada@example.com'],
  ['date', { type: 'string', format: 'date' }, '2026-02-28'],
  ['date-time', { type: 'string', format: 'date-time' }, '2026-01-02T03:04:05Z'],
  ['password', { type: 'string', format: 'password' }, 'correct horse'],
  ['choice of strings', { enum: ['red', 'green', 'blue'] }, 'green'],
  ['choice of anything', { enum: [1, 'one', null, true] }, 'one'],
  ['choice with default', { enum: ['a', 'b'], default: 'a' }, 'b'],
  ['null', { type: 'null' }, null],
  ['list of integers', { type: 'array', items: integer }, [1, 2, 3]],
  ['empty list', { type: 'array', items: text }, []],
  ['list of lists', { type: 'array', items: { type: 'array', items: integer } }, [[1], [2, 3]]],
  ['list of objects', { type: 'array', items: object({ id: integer, name: text }) }, [{ id: 1, name: 'a' }]],
  ['list of choices', { type: 'array', items: { enum: ['x', 'y'] }, uniqueItems: true }, ['y', 'x']],
  ['tuple', { type: 'array', prefixItems: [text, integer], items: false, minItems: 2 }, ['a', 1]],
  ['tuple and more', { type: 'array', prefixItems: [text], items: integer, minItems: 1 }, ['a', 1, 2]],
  ['optional left out', object({ a: integer, b: text }, ['a']), { a: 1 }],
  ['nested', object({ a: object({ b: object({ c: integer }) }) }), { a: { b: { c: 5 } } }],
  ['optional object', object({ inner: object({ a: integer }) }, []), { inner: { a: 2 } }],
  ['optional boolean', object({ flag: { type: 'boolean' } }, []), { flag: false }],
  ['optional choice', object({ pick: { enum: ['a', 'b'] } }, []), { pick: 'b' }],
  ['odd names', object({ 'a/b': integer, 'c~d': integer, 'e f': integer }), { 'a/b': 1, 'c~d': 2, 'e f': 3 }],
  ['map of integers', { type: 'object', additionalProperties: integer }, { one: 1, two: 2 }],
  ['map of patterns', { type: 'object', patternProperties: { '^x-': text } }, { 'x-a': 'b' }],
  ['union of types', { anyOf: [integer, text] }, 'text', { '/value': 1 }],
  ['union by constant', { oneOf: [circle, square] }, { kind: 'square', side: 2 }, { '/value': 1 }],
  ['nullable null', { anyOf: [integer, { type: 'null' }] }, null, { '/value': 1 }],
  ['type list', { type: ['string', 'null'] }, 'x', { '/value': 0 }],
  ['all of', { allOf: [object({ a: integer }), object({ b: text })] }, { a: 1, b: 'z' }],
  ['reference', { $ref: '#/$defs/Point' }, { x: 1, y: 2 }],
  ['recursive', { $ref: '#/$defs/Node' }, { name: 'root', children: [{ name: 'leaf' }] }],
  ['bytes', { type: 'string', contentEncoding: 'base64' }, 'aGVsbG8='],
  ['anything', {}, { free: ['form', 1, null] }],
];

/** The names are made of the number and the words. */
export const shapes = table.map(([words, schema, value, picks = {}], i) => ({
  name: `Shape${String(i + 1).padStart(2, '0')}.${words.replaceAll(/[^a-z]+(.)/gi, (_, letter: string) => letter.toUpperCase())}`,
  schema,
  value,
  picks,
}));

/** Definitions that references lead to. */
export const $defs = {
  Point: object({ x: { type: 'number' }, y: { type: 'number' } }),
  Node: {
    type: 'object',
    properties: { name: text, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
    required: ['name'],
  },
};
