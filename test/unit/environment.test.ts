import { describe, expect, it } from 'vitest';
import { createEnvironment } from '../../src/env/environment.ts';
import { addVariable } from '../../src/bin/options/variables.ts';
import type { GivenVariables } from '../../src/bin/options/variables.ts';
import { parseMount } from '../../src/env/parse-options.ts';
import { proves } from '../promises.ts';

describe('--mount', () => {
  it.each([
    ['/tmp:/', { host: '/tmp', virtual: '/', readOnly: false }],
    ['/srv/data:/data:ro', { host: '/srv/data', virtual: '/data', readOnly: true }],
    ['./here:/a/b', { host: './here', virtual: '/a/b', readOnly: false }],
    ['C:\\data:/data', { host: 'C:\\data', virtual: '/data', readOnly: false }],
    ['C:/data:/data:ro', { host: 'C:/data', virtual: '/data', readOnly: true }],
    ['/with:colon:/v', { host: '/with:colon', virtual: '/v', readOnly: false }],
  ])(proves('cli.environment', '%s'), (text, mount) => expect(parseMount(text)).toEqual(mount));

  it.each(['', '/tmp', '/tmp:', ':/v', '/tmp:relative', 'C:/data', 'C:\\data', '/tmp:ro'])(
    proves('cli.environment', 'rejects "%s"'),
    (text) => expect(() => parseMount(text)).toThrow('expected HOST:VIRTUAL[:ro]'),
  );

  it(proves('cli.environment', 'accepts options, separated by commas'), () => {
    expect(parseMount('data:/v:max=2k,ro,max-file=10')).toEqual({
      host: 'data',
      virtual: '/v',
      readOnly: true,
      maxBytes: 2048,
      maxFileBytes: 10,
    });
    for (const option of ['rw', 'RO', 'max', 'ro:max=1'])
      expect(() => parseMount(`data:/v:${option}`)).toThrow('unknown option');
    for (const size of ['', '1MB', '-1', 'x'])
      expect(() => parseMount(`data:/v:max=${size}`)).toThrow('expected a number');
  });
});

describe('--env', () => {
  const add = (text: string, sofar?: GivenVariables) => addVariable({ env: { SECRET: 'hush' } }, text, sofar);

  it(proves('cli.environment', 'splits at the first ='), () => {
    expect(add('A=b=c').values).toEqual({ A: 'b=c' });
    expect(add('EMPTY=').values).toEqual({ EMPTY: '' });
    expect(add('LINES=a\nb=c').values).toEqual({ LINES: 'a\nb=c' });
    for (const text of ['', '=x']) expect(() => add(text)).toThrow('expected NAME or NAME=VALUE');
    expect(Object.keys(add('__proto__=x', add('A=1')).values)).toEqual(['A', '__proto__']);
  });

  it(proves('cli.environment', 'takes the value of the environment, if only a name is given'), () => {
    expect(add('SECRET')).toEqual({ values: { SECRET: 'hush' }, given: [['--env', 'SECRET']] });
    expect(() => add('OTHER')).toThrow('OTHER is not set in the environment');
  });

  it(proves('cli.environment', 'provides only those variables, and lists a copy'), () => {
    const { env: variables } = createEnvironment({ env: { A: '1' } });
    const list = variables.list();
    list['A'] = '2';
    expect([variables.get('A'), variables.get('PATH'), variables.get('toString')]).toEqual(['1', undefined, undefined]);
  });
});
