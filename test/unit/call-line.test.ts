import { expect, it } from 'vitest';
import { callLine } from '../../src/bin/call-line.ts';
import { proves } from '../promises.ts';

const lineOf = (subject: string) =>
  callLine({ step: 'answered', wire: 'http', subject, code: 'FUNCTION_NOT_FOUND', duration: 0.25 }, new Date(0));

it(proves('log.steps', 'a caller cannot write control characters, further lines or much text to the terminal'), () => {
  const line = lineOf(`\u001B[2J\u009B31m\n00:00:00 http functions.Add OK\u202E${'x'.repeat(10_000)}`);
  expect(line).not.toMatch(/[\p{C}](?!$)/u);
  expect(line.split('\n')).toHaveLength(2);
  expect(line.length).toBeLessThan(200);
});

it(proves('log.steps', 'names of functions stay as they are'), () => {
  expect(lineOf('functions.Größe')).toMatch(/ http functions\.Größe FUNCTION_NOT_FOUND 0\.3 ms\n$/);
});
