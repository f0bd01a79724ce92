import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { endChild, startChild } from '../../measure/children.mjs';
import { expect, expectEqual } from './expect.mjs';

export async function checkCli(way) {
  const help = await run([...way.run(), '--help']);
  expectEqual(help.code, 0, 'the exit code of --help');
  for (const word of ['--product', '--quantity', 'What to buy', 'How many']) {
    expect(help.output.includes(word), `"${word}" is not in the help:\n${help.output}`);
  }
  const right = await run([...way.run(), '--product', 'tea', '--quantity', '3']);
  expectEqual(right.code, 0, 'the exit code');
  expect(/\btotal\b.*\b750\b/s.test(right.output), `the output is ${right.output}`);
  for (const quantity of ['0', 'many']) {
    const wrong = await run([...way.run(), '--product', 'tea', '--quantity', quantity]);
    expect(wrong.code > 0, `--quantity ${quantity} was answered with ${wrong.output}`);
  }
}

async function run(args) {
  const child = startChild(args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(30_000) });
    const [[code], ...output] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
    return { code, output: output.join('') };
  } finally {
    await endChild(child, 0);
  }
}
