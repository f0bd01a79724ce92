import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { Failure } from '../../src/core/failure.ts';
import { decodeCli } from '../../src/wires/cli/decode.ts';
import { encodeCli } from '../../src/wires/cli/encode.ts';
import { flagsOf } from '../../src/wires/cli/flags.ts';
import { proves } from '../promises.ts';

const half = {
  name: 'Half',
  description: 'Halves',
  input: { type: 'object', properties: { x: { type: 'integer', description: 'X' } }, required: ['x'] },
  output: { type: 'integer', description: 'Half' },
  run: ({ x }: { x: number }) => (x % 2 === 0 ? x / 2 : new Failure('ODD', 'x is odd')),
};
const app = createApp({ name: 'Test', version: '1', functions: [half] });
const fn = app.find('Half')!;
const [x] = flagsOf(fn.inputSchema, new Set());

describe('decode', () => {
  const decode = (input?: string, flags: readonly string[] = [], stdin = '') =>
    decodeCli(
      { fn, input, flags: flags.length > 0 ? [[x!, flags]] : [] },
      {
        limits: app.limits,
        stdin: async function* stdinOf() {
          yield Buffer.from(stdin);
        },
        readFile: async function* fileOf(path) {
          if (path !== 'arguments.json') throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
          yield Buffer.from('{"x":');
          yield Buffer.from('6}');
        },
        fileExists: (path) => path === 'arguments.json',
        openFile: async (path) => new File(['x'], path),
      },
    );

  it(proves('cli.input', 'flags override fields of the input'), async () => {
    const call = { name: 'Half', caller: { wire: 'cli' }, input: { x: 4, y: 2 } };
    expect((await decode('{"x":1,"y":2}', ['4'])).call).toMatchObject(call);
    expect((await decode('-', [], '{"x":8}')).call.input).toEqual({ x: 8 });
    expect((await decode('@arguments.json')).call.input).toEqual({ x: 6 });
    expect((await decode()).call.input).toBeUndefined();
  });

  it(proves('cli.input', 'what is not JSON is a refused call, with a hint for people'), async () => {
    const { call, hint } = await decode('arguments.json');
    expect(call.refused?.error.code).toBe('INVALID_JSON');
    expect(hint).toContain('--input @arguments.json');
    expect((await decode('@nothing.json')).call.refused?.error.message).toBe('--input: no such file: nothing.json');
    expect((await decode('-', [], '{')).hint).toContain('line 1, column 2');
  });
});

describe('encode', () => {
  const answered = (input: unknown) => app.respond({ name: 'Half', input, caller: { wire: 'cli' } }, 'plain');
  const program = { isExact: false, isTerminal: false };
  const person = { isExact: false, isTerminal: true };

  it(proves('cli.exact', 'the exact body for programs, and with --json'), async () => {
    expect(encodeCli(await answered({ x: 4 }), program)).toEqual({ stdout: '{"result":2}', exitCode: 0 });
    expect(encodeCli(await answered({ x: 4 }), { ...person, isExact: true }).stdout).toBe('{"result":2}\n');
  });

  it(proves('cli.readable', 'text on a terminal, and for a failure only the message'), async () => {
    expect(encodeCli(await answered({ x: 4 }), person).stdout).toBe('2\n');
    expect(encodeCli(await answered({ x: 3 }), person)).toEqual({ error: 'x is odd (ODD)', exitCode: 1 });
    expect(encodeCli(await answered({ x: 3 }), { ...program, hint: '\nTry 4' })).toEqual({
      stdout: '{"error":"x is odd"}',
      error: 'x is odd (ODD)\nTry 4',
      exitCode: 1,
    });
  });
});
