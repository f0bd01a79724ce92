import { createApp } from 'everywire';
import { fn, object } from '../kit/functions.ts';

// Parameters whose names mean something to a parser of options, to JavaScript, or to nobody.

export const names = [
  ...'no-input no-json no-profile no-env no-mount no-help no-cache no-no no- help version h V input json env'.split(
    ' ',
  ),
  ...'mount profile arg-x x- a--b a-b aB _ constructor toString hasOwnProperty options args größe 日本'.split(' '),
  ...'1 0x a.b noinput parent opts'.split(' '),
];

export const switches = 'no-input no-json no-cache no- x- a--b help version json'.split(' ');

const output = { description: 'What came' };
const echo = (name: string, type: 'string' | 'boolean', parameters: readonly string[]) => {
  const properties = parameters.map((parameter) => [parameter, { type, description: parameter }] as const);
  return fn(name, { input: object(Object.fromEntries(properties), []), output }, (given) => Object.entries(given));
};
// Values that look like the notation of a parser.
const size = { type: 'string', enum: ['more...', '[few]', '<none>', '--x', 'a,b'], description: 'How many' } as const;
const other = { type: 'string', description: 'Something else' } as const;

export default createApp({
  name: 'Named',
  version: '1.0.0',
  functions: [
    echo('Texts', 'string', names),
    // One function each, so that no two parameters have the same flag.
    ...switches.map((name, i) => echo(`Switch${i}`, 'boolean', [name])),
    fn('Values', { input: object({ size, other }, []), output }, (given) => given),
  ],
});
