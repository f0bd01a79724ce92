/**
 * Inputs that grow. Each targets one kind of work for a schema, a message or a response. A row creates the request for a
 * size; test/apps/growth.ts has the functions.
 */
export interface Growth {
  readonly name: string;
  /** The first size (below about 1 KiB) and the last one (the limit); those between are halves of the last. */
  readonly from: number;
  readonly to: number;
  readonly send: (n: number) => Sent;
  /** The kind of wires, if not all: an MCP message, a request that only HTTP has, or raw bytes. */
  readonly only?: 'mcp' | 'http' | 'process' | 'bytes';
  /** The allowed time as a multiple of parsing and writing the same JSON, if not the default. */
  readonly times?: number;
  /** Uses the app with audit records, checks and strict. */
  readonly audited?: boolean;
}

export type Sent =
  | { readonly function: string; readonly input: unknown }
  /** A raw body, sent unchanged. */
  | { readonly function: string; readonly body: string }
  | { readonly function: string; readonly form: string }
  | { readonly method: string; readonly params: Record<string, unknown> }
  | { readonly path: string; readonly headers?: Record<string, string> };

/** Nested as deep as the limits allow, by doubling. */
const DEPTH = { from: 3, to: 48 } as const;

/** One long string, which takes less work than structured JSON of that size. */
const LONG = { from: 512, to: 524_288, times: 6 } as const;

const sizes = (from: number, to: number, times?: number) => ({ from, to, ...(times !== undefined && { times }) });
const repeat = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const keyed = <T>(count: number, make: (i: number) => readonly [string, T]): Record<string, T> =>
  Object.fromEntries(repeat(count, make));

/** `{op, left: {op, left: …}}`, with a leaf at the end. */
function chain(levels: number, leaf: unknown, more: object = { op: 'add', right: 1 }): unknown {
  let value = leaf;
  for (let i = 0; i < levels; i++) value = { ...more, left: value };
  return value;
}

const call = (fn: string, input: (n: number) => unknown) => (n: number) => ({
  function: fn,
  input: { value: input(n) },
});

/** The rows of one function: a name for each kind of input. */
function rows(
  fn: string,
  size: Pick<Growth, 'from' | 'to' | 'times'>,
  inputs: Readonly<Record<string, (n: number) => unknown>>,
  more: Partial<Growth> = {},
): Growth[] {
  return Object.entries(inputs).map(([name, input]) => ({ name, ...size, send: call(fn, input), ...more }));
}

/** Rows that only one kind of wire can be sent. */
function sent(
  only: NonNullable<Growth['only']>,
  range: Pick<Growth, 'from' | 'to'>,
  requests: Readonly<Record<string, (n: number) => Sent>>,
): Growth[] {
  return Object.entries(requests).map(([name, send]) => ({ name, ...range, send, only }));
}

/** The same names and values in a form, and, as far as headers may be long, in a query. */
function pairs(
  fn: string,
  size: Pick<Growth, 'from' | 'to' | 'times'>,
  texts: Readonly<Record<string, (n: number) => string>>,
): Growth[] {
  return Object.entries(texts).flatMap(([name, text]): Growth[] => {
    let longest = size.to;
    while (text(longest).length > LONGEST_QUERY) longest = Math.floor(longest / 2);
    const only = 'http' as const;
    return [
      { name: `a form: ${name}`, ...size, send: (n) => ({ function: fn, form: text(n) }), only },
      {
        name: `a query: ${name}`,
        ...size,
        from: Math.min(size.from, longest),
        to: longest,
        send: (n) => ({ path: `/functions/${fn}?${text(n)}` }),
        only,
      },
    ];
  });
}

const LONGEST_QUERY = 12_000;

/** A request of MCP, a raw body, and a request with a header. */
const mcp = (method: string, params: (n: number) => Record<string, unknown>) => (n: number) => ({
  method,
  params: params(n),
});
const body = (text: (n: number) => string) => (n: number) => ({ function: 'Numbers', body: text(n) });
const accept = (text: (n: number) => string) => (n: number) => ({
  path: '/functions/Numbers',
  headers: { accept: text(n) },
});

const wrongLeaf = (n: number) => chain(n, 'x');

/** Each string holds the JSON of the next: twice as many characters per level. */
const strings = (n: number) => {
  let value: unknown = 'x';
  for (let i = 0; i < n; i++) value = JSON.stringify({ left: value });
  return value;
};

const wrongAddresses = { one: '', many: [], addresses: repeat(100, () => 'x') };

export const cases: readonly Growth[] = [
  // Recursive unions: an invalid leaf may fail in every branch of every level above it.
  ...rows('Tagged', DEPTH, {
    'a tagged tree, right': (n) => chain(n, 1),
    'a tagged tree, a wrong leaf': wrongLeaf,
    'a tagged tree, an unknown tag at the end': (n) => chain(n, { op: 'pow', left: 1, right: 1 }),
    'a tagged tree, tags missing everywhere': (n) => chain(n, 1, { right: 1 }),
  }),
  ...rows('TaggedSecret', DEPTH, { 'a tagged tree next to a secret, a wrong leaf': wrongLeaf }),
  ...rows('Untagged', DEPTH, {
    'a tree without tags, a wrong leaf': (n) => chain(n, 'x', {}),
    'a tree without tags, right': (n) => chain(n, 1, {}),
  }),
  ...rows('UntaggedWriteOnly', DEPTH, {
    'a tree without tags next to a secret, a wrong leaf': (n) => chain(n, 'x', {}),
  }),
  ...rows('UntaggedSensitive', DEPTH, { 'a tree with a secret branch, a wrong leaf': (n) => chain(n, true, {}) }),
  ...rows('SameTwice', DEPTH, { 'a tree whose branches are the same, a wrong leaf': wrongLeaf }),
  ...rows('Extended', DEPTH, {
    'a tree that extends a base, right': (n) => chain(n, {}, {}),
    'a tree that extends a base, a wrong leaf': (n) => chain(n, { value: 'x' }, {}),
  }),
  ...rows('ExtendedFilled', DEPTH, { 'a tree that extends a base, defaults': (n) => chain(n, {}, {}) }),
  ...rows('PatternedFilled', DEPTH, { 'a tree that is described twice, defaults': (n) => chain(n, {}, {}) }),
  {
    name: 'a tree that extends a base, right, next to what is wrong',
    ...DEPTH,
    send: (n) => ({ function: 'ExtendedNext', input: { value: chain(n, {}, {}), other: 'x' } }),
  },
  ...rows('Untagged', sizes(4, 16), { 'JSON in strings in JSON, a wrong leaf': strings }),
  ...rows('Untagged', LONG, {
    'JSON in a string, deep, for a recursive schema': (n) => '{"left":'.repeat(n / 9) + '1' + '}'.repeat(n / 9),
  }),
  ...rows('Conditional', DEPTH, { 'a tree with a condition, a wrong leaf': (n) => chain(n, { kind: 1 }, {}) }),
  ...rows('Zod', DEPTH, { 'a tree of zod, right': (n) => chain(n, 1), 'a tree of zod, a wrong leaf': wrongLeaf }),
  ...rows(
    'Tagged',
    DEPTH,
    { 'a tagged tree, recorded': (n) => chain(n, 1), 'a tagged tree, recorded, a wrong leaf': wrongLeaf },
    { audited: true },
  ),
  ...rows('Zod', DEPTH, { 'a tree of zod, recorded': (n) => chain(n, 1) }, { audited: true }),
  ...rows('Untagged', DEPTH, { 'a tree without tags, recorded': (n) => chain(n, 1, {}) }, { audited: true }),
  ...rows('Forest', sizes(4, 800), {
    'many trees, each with a wrong leaf': (n) => repeat(n, () => chain(4, 'x')),
    'many trees, right': (n) => repeat(n, () => chain(4, 1)),
  }),

  // Many problems at once, with long pointers.
  ...rows('MapOfStrict', sizes(10, 3200), {
    'a long key over many unknown fields': (n) => ({ ['k'.repeat(n * 60)]: keyed(n, (i) => [`unknown${i}`, 1]) }),
    'many strict objects, each with an unknown field': (n) => keyed(n, (i) => [`key${i}`, { net: 1, nett: 2 }]),
    'many strict objects, each empty': (n) => keyed(n, (i) => [`key${i}`, {}]),
  }),
  ...rows('MapOfSecrets', sizes(10, 3200), {
    'a long key over unknown fields, by a secret': (n) => ({
      ['k'.repeat(n * 60)]: keyed(n, (i) => [`unknown${i}`, 1]),
    }),
    'many wrong secrets': (n) => keyed(n, (i) => [`key${i}`, { net: 'x', password: i }]),
  }),
  ...rows('Objects', sizes(16, 4990), {
    'many objects, each wrong': (n) => repeat(n, (i) => ({ id: 'x', name: i })),
    'many objects, each empty': (n) => repeat(n, () => ({})),
    'many objects, right': (n) => repeat(n, (i) => ({ id: i, name: 'n' })),
  }),
  ...rows('Closed', sizes(30, 9990), {
    'unknown fields of a strict object': (n) => keyed(n, (i) => [`unknown-field-${i}`, 1]),
    'one unknown field with a long name': (n) => ({ ['u'.repeat(n * 16)]: 1 }),
  }),
  ...['', ', strictly'].map((strictly) => ({
    name: `unknown fields next to fifty missing ones${strictly}`,
    ...sizes(30, 9990),
    ...(strictly && { audited: true }),
    send: (n: number) => ({ function: 'Required', input: keyed(n, (i) => [`wanted${i}`, 1]) }),
  })),
  ...rows('Names', sizes(30, 9990), { 'names that do not match': (n) => keyed(n, (i) => [`NAME${i}`, 1]) }),
  ...rows('Patterned', sizes(30, 9990), {
    'names that match a pattern': (n) => keyed(n, (i) => [`x-${i}`, 1]),
    'names that match no pattern': (n) => keyed(n, (i) => [`y-${i}`, 1]),
  }),
  ...rows('Unevaluated', sizes(30, 9990), { 'unevaluated fields': (n) => keyed(n, (i) => [`field-${i}`, 1]) }),

  // Lists: valid, invalid, and repairable.
  ...rows('Numbers', sizes(100, 99_990), {
    'numbers, right': (n) => repeat(n, (i) => i),
    'numbers, all wrong': (n) => repeat(n, () => 'x'),
    'numbers to repair': (n) => repeat(n, () => '1'),
    'numbers to repair, the last one wrong': (n) => [...repeat(n - 1, () => '1'), 'x'],
    'numbers as JSON in a string': (n) => JSON.stringify(repeat(n, (i) => i)),
    'null for every number': (n) => repeat(n, () => null),
  }),
  ...rows('Referred', sizes(100, 99_990), {
    'numbers behind a reference, to repair': (n) => repeat(n, () => '1'),
    'numbers behind a reference, all wrong': (n) => repeat(n, () => 'x'),
  }),
  ...rows('Flags', sizes(100, 99_990), { 'booleans to repair': (n) => repeat(n, () => 'true') }),
  ...rows('Nested', sizes(60, 49_990), {
    'nested lists to repair': (n) => [repeat(n, () => ['1'])],
    'nested lists, each JSON in a string': (n) => [repeat(n, () => '["1"]')],
  }),
  ...rows('AsJson', sizes(16, 9990), {
    'objects, each JSON in a string': (n) => repeat(n, () => '{"id":"1"}'),
    'a deep JSON in a string': (n) => '['.repeat(n) + ']'.repeat(n),
  }),
  ...rows('Enums', sizes(100, 99_990), { 'wrong words of an enum': (n) => repeat(n, () => 'wort') }),
  ...rows('Kinds', sizes(20, 4990), {
    'items of twenty kinds, right': (n) => repeat(n, (i) => ({ kind: `kind-${i % 20}`, [`field${i % 20}`]: 1 })),
    'items of twenty kinds, wrong': (n) => repeat(n, (i) => ({ kind: `kind-${i % 20}`, [`field${i % 20}`]: 'x' })),
    'items of twenty kinds, of no kind': (n) => repeat(n, () => ({ kind: 'none' })),
    'items of twenty kinds, to repair': (n) => repeat(n, (i) => ({ kind: `kind-${i % 20}`, [`field${i % 20}`]: '1' })),
  }),
  // Twice the work per byte: each of the short strings is tried with several patterns.
  ...rows('Choices', sizes(60, 99_990, 60), { 'strings of several patterns, wrong': (n) => repeat(n, () => 'xxxx') }),
  ...rows('Contains', sizes(60, 9990), { 'a list without what it must contain': (n) => repeat(n, () => ({ a: 1 })) }),
  // Twice the work per byte: items are compared or filled in. JSON itself is faster in Node 26.
  ...rows('Unique', sizes(20, 9980, 60), {
    'unique objects': (n) => repeat(n, (id) => ({ id })),
    'unique objects, but for the last two': (n) => [...repeat(n, (id) => ({ id })), { id: n - 1 }],
    'unique objects that are all the same': (n) => repeat(n, () => ({ id: 1 })),
  }),
  ...rows('Defaults', { from: 100, to: 99_990, times: 60 }, { 'defaults in many items': (n) => repeat(n, () => ({})) }),

  // Long strings.
  ...rows('Strings', sizes(64, 99_990), { 'short strings, all wrong': (n) => repeat(n, () => 'UP') }),
  ...rows('Emoji', sizes(128, 131_072, LONG.times), {
    'a pattern on emoji': (n) => '😀'.repeat(n),
    'a pattern on emoji, a wrong end': (n) => `${'😀'.repeat(n)} `,
  }),
  ...rows('ZodSecrets', LONG, {
    'a long secret and wrong addresses': (n) => ({ ...wrongAddresses, one: 'secret'.repeat(n / 6) }),
    'a secret as in messages and wrong addresses': (n) => ({ ...wrongAddresses, one: 'inva'.repeat(n / 4) }),
    'many secrets and wrong addresses': (n) => ({ ...wrongAddresses, many: repeat(n / 8, () => 'abcde') }),
  }),
  ...rows('Format', LONG, {
    'an address without an end': (n) => `${'a'.repeat(n)}@`,
    'an address of dots': (n) => `a@${'a.'.repeat(n / 2)}`,
  }),
  ...rows('Numbers', LONG, { 'a long string in place of a list': (n) => 'x'.repeat(n) }),
  ...rows('Throw', sizes(512, 8192), {
    'a message without a space': (n) => 'a'.repeat(n),
    'a message of slashes': (n) => '/a'.repeat(n / 2),
    'a message of colons': (n) => 'a:'.repeat(n / 2),
    'a message of quotes': (n) => '"/'.repeat(n / 2),
    'a message of lines': (n) => '\n  at'.repeat(n / 5),
    'a message of backslashes': (n) => '\\'.repeat(n / 2),
  }),
  ...rows('Bytes', LONG, {
    'bytes in base64': (n) => 'A'.repeat(n),
    'bytes in base64, a wrong end': (n) => `${'A'.repeat(n)}*`,
  }),
  ...rows('Find', sizes(20, 330), { 'a pattern of many folders': (n) => `${'**/'.repeat(n)}x` }, { only: 'process' }),
  ...rows('Find', sizes(30, 480), { 'a pattern of many stars': (n) => '*a'.repeat(n) }, { only: 'process' }),

  // Results that are rendered as text: tables, records, lines.
  ...rows('Rows', sizes(16, 4990), {
    'a table with one long cell': (n) => [{ a: 'x'.repeat(n * 30), b: 1 }, ...repeat(n, () => ({ a: 'x', b: 1 }))],
    'a table with one long heading': (n) => [{ ['h'.repeat(n * 30)]: 1 }, ...repeat(n, () => ({ a: 1 }))],
    'a table whose rows have other columns each': (n) => repeat(n, (i) => ({ [`column${i}`]: 1 })),
  }),
  ...rows('Lines', sizes(32, 9990), {
    'a long key over many lines': (n) => ({ ['k'.repeat(n * 16)]: 'a\n'.repeat(n * 16) }),
    'many keys, one of them long': (n) => ({ ['k'.repeat(n * 16)]: 'a', ...keyed(n, (i) => [`k${i}`, 'b\nc']) }),
  }),
  ...rows('Text', LONG, {
    'a long text': (n) => 'x'.repeat(n),
    'a text of lines': (n) => 'x\n'.repeat(n / 2),
    'a text of control characters': (n) => '\u0001'.repeat(n / 6),
  }),
  ...rows('Any', DEPTH, { 'nested records': (n) => chain(n, 1, { x: 1 }) }),
  ...rows('Any', sizes(64, 8000), {
    'nested records, wide and deep': (n) => ({ list: repeat(n / 8, (i) => chain(8, { text: `a\nb${i}` }, {})) }),
  }),

  // Queries and forms: names, dots, repetitions, percent-encoding.
  ...pairs('QueryAny', sizes(30, 40_000), {
    'many names': (n) => repeat(n, (i) => `name${i}=1`).join('&'),
    'many names below one': (n) => repeat(n, (i) => `a.b.c.name${i}=1`).join('&'),
    'nothing but separators': (n) => '&='.repeat(n),
    'names with many dots': (n) => repeat(n / 16, (i) => `${'a.'.repeat(60)}${i}=1`).join('&'),
    'names with too many dots': (n) => repeat(n / 16, (i) => `${'a.'.repeat(100)}${i}=1`).join('&'),
    'values that are objects too': (n) => repeat(n / 2, (i) => `a${i}=1&a${i}.b=2`).join('&'),
  }),
  ...pairs('QueryAny', sizes(128, 131_072, LONG.times), {
    'one name with many dots': (n) => `${'a.'.repeat(n)}a=1`,
    'one name of percent-encoding': (n) => `${'%C3%A9'.repeat(n)}=1`,
    'one value of percent-encoding': (n) => `a=${'%C3%A9'.repeat(n)}`,
    'one value of percent-encoding, a broken end': (n) => `a=${'%C3%A9'.repeat(n)}%C3`,
    'a value of plus signs': (n) => `a=${'+'.repeat(n)}`,
    'a value of percent signs': (n) => `a=${'%25'.repeat(n)}`,
  }),
  ...pairs('QueryNumbers', sizes(60, 60_000), {
    'a list': (n) => 'value=1&'.repeat(n),
    'a list, all wrong': (n) => 'value=x&'.repeat(n),
    'a list as JSON': (n) => `value=[${'1,'.repeat(n)}1]`,
    'one number many times': (n) => 'limit=1&'.repeat(n),
  }),
  ...pairs('QueryTree', LONG, {
    'a deep tree as JSON': (n) => `value=${'{"left":'.repeat(n / 9)}1${'}'.repeat(n / 9)}`,
  }),
  ...pairs('QueryTree', sizes(3, 48), {
    'a tree, right': (n) => `${'value.'.padEnd(n * 5 + 6, 'left.')}left=1`,
    'a tree, a wrong leaf': (n) => `${'value.'.padEnd(n * 5 + 6, 'left.')}left=x`,
  }),
  ...sent('http', sizes(512, 8192), {
    'a long value in a path': (n) => ({ path: `/own/${'x'.repeat(n)}` }),
    'a value of percent-encoding in a path': (n) => ({ path: `/own/${'%C3%A9'.repeat(n / 6)}` }),
    'a path of many segments': (n) => ({ path: `/own/${'x/'.repeat(n / 2)}` }),
    'a path of many slashes': (n) => ({ path: `/own${'/'.repeat(n)}` }),
  }),

  // Requests that are not calls, or not yet.
  ...sent('bytes', sizes(512, 524_288), {
    'a body of brackets': body((n) => `{"value":${'['.repeat(n / 2)}${']'.repeat(n / 2)}}`),
    'a body that ends too early': body((n) => `{"value":[${'1,'.repeat(n / 2)}`),
    'a body of open brackets': body((n) => '['.repeat(n)),
    'a body of open braces': body((n) => '{"":'.repeat(n / 4)),
  }),
  ...sent('mcp', sizes(512, 131_072), {
    'a function with a long name': mcp('tools/call', (n) => ({ name: 'x'.repeat(n / 2), arguments: {} })),
    'a resource of two variables': mcp('resources/read', (n) => ({ uri: `file://${'.'.repeat(n)}/` })),
    'a resource of three variables': mcp('resources/read', (n) => ({ uri: `part://${'-'.repeat(n)}/` })),
    'a prompt with a long value': mcp('prompts/get', (n) => ({
      name: 'begin',
      arguments: { value: 'x'.repeat(n) },
    })),
    'completion of a long word': mcp('completion/complete', (n) => ({
      ref: { type: 'ref/prompt', name: 'begin' },
      argument: { name: 'value', value: 'x'.repeat(n) },
    })),
  }),
  ...sent('http', sizes(512, 8192), {
    'a resource of two variables, by path': (n) => ({
      path: `/resources/${encodeURIComponent('file://')}${'.'.repeat(n)}%2F`,
    }),
    'a long Accept header': accept((n) => `${'text/plain;q=0.1,'.repeat(n / 8)}a/b`),
    'an Accept header of quotes': accept((n) => `application/json;profile="${'\\"'.repeat(n / 2)}`),
    'a long query': (n) => ({ path: `/functions/Numbers?${'a&'.repeat(n / 2)}profile=plain` }),
  }),
];
