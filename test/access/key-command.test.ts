import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { apiKeys, Credentials } from 'everywire/access';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

const page = readFileSync('docs/authenticators.md', 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';

it(proves('access.keys', 'the command in docs/authenticators.md makes a key and its hash'), async () => {
  const { stdout } = await promisify(execFile)('bash', ['-c', block('sh')]);
  const [key = '', hash = ''] = stdout.trimEnd().split('\n');
  expect(key).toMatch(/^[\w-]{43}$/);
  const keys = apiKeys({ keys: { [hash]: { id: 'ci' } } });
  expect(keys.authenticate(new Credentials({ apiKey: key }), () => {})).toMatchObject({ id: 'ci' });
});

it('the file in docs/authenticators.md is valid', () => {
  const keys = apiKeys({ keys: JSON.parse(block('json')) as never });
  expect(keys.authenticate(new Credentials({ apiKey: 'test' }), () => {})).toMatchObject({ id: 'ci' });
});
