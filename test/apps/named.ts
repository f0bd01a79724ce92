import { createApp, defineFunction } from 'everywire';

// Parameters whose names mean something to a parser of options, to JavaScript, or to nobody.

const names = [
  'no-input',
  'no-json',
  'no-profile',
  'no-env',
  'no-mount',
  'no-help',
  'no-cache',
  'no-no',
  'no-',
  'help',
  'version',
  'h',
  'V',
  'input',
  'json',
  'env',
  'mount',
  'profile',
  'arg-x',
  'x-',
  'a--b',
  'a-b',
  'aB',
  '_',
  'constructor',
  'toString',
  'hasOwnProperty',
  'options',
  'args',
  'größe',
  '日本',
  '1',
  '0x',
  'a.b',
  'noinput',
  'parent',
  'opts',
];

const switches = ['no-input', 'no-json', 'no-cache', 'no-', 'x-', 'a--b', 'help', 'version', 'json'];

const echo = (name: string, type: 'string' | 'boolean' | 'integer', parameters: readonly string[]) =>
  defineFunction({
    name,
    description: 'Returns what it was given',
    input: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type, description: parameter }])),
    },
    output: { description: 'The names and values that came' },
    run: (given) => Object.entries(given as object),
  });

export default createApp({
  name: 'Named',
  version: '1.0.0',
  functions: [
    echo('Texts', 'string', names),
    // One function each, so that no two parameters have the same flag.
    ...switches.map((name, i) => echo(`Switch${i}`, 'boolean', [name])),
    defineFunction({
      name: 'Values',
      description: 'Has values that look like the notation of a parser',
      input: {
        type: 'object',
        properties: {
          size: { type: 'string', enum: ['more...', '[few]', '<none>', '--x', 'a,b'], description: 'How many' },
          other: { type: 'string', description: 'Something else' },
        },
      },
      output: { description: 'What came' },
      run: (given) => given,
    }),
  ],
});
export { names, switches };
