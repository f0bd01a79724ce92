import { base, token } from '../server.ts';
import type { AppFacts, Details } from '../types.ts';
import { literal } from './literal.ts';
import { pythonOf } from './python.ts';
import { flagOptions } from './server-flags.ts';

// The same call as programs.

/** Types come from a module that exports its app. */
export function clientCode(fn: Details, { module, isPlain }: AppFacts, body: string): string {
  const isTyped = module !== undefined && !isPlain;
  const access = token.value === '' ? '' : `, { credentials: () => process.env['EVERYWIRE_TOKEN'] }`;
  return [
    `import { createClient } from 'everywire/client';`,
    ...(isTyped ? [`import type app from ${literal(module)};`] : []),
    '',
    `const client = createClient${isTyped ? '<typeof app>' : ''}(${literal(base.replace(/\/$/, ''))}${access});`,
    `const outcome = await client.call(${literal(fn.name)}, ${code(body)});`,
    `console.log(outcome.ok ? outcome.data : outcome.error);`,
  ].join('\n');
}

/** A program says itself who calls, so it needs no token. */
export function processCode(fn: Details, module: string, { isPlain, flags }: AppFacts, body: string): string {
  const load = isPlain
    ? [`import { loadApp } from 'everywire/node';`, '', `const app = await loadApp(${literal(module)});`]
    : [`import app from ${literal(module)};`, ''];
  const { imports, options } = flagOptions(flags);
  // Scopes that are not known here may be any.
  const scopes = Array.isArray(fn.scopes) ? (fn.scopes as readonly string[]) : ['*'];
  const principal = `principal: { id: 'me', scopes: [${scopes.map(literal).join(', ')}] }`;
  const all = [...(token.value === '' || fn.scopes === 'public' ? [] : [principal]), ...options];
  const last = all.length === 0 ? '' : `, { ${all.join(', ')} }`;
  return [
    ...imports,
    ...load,
    `const outcome = await app.call(${literal(fn.name)}, ${code(body)}${last});`,
    `console.log(outcome.ok ? outcome.data : outcome.error);`,
  ].join('\n');
}

export function pythonCode(url: string, body: unknown): string {
  const headers = token.value === '' ? '' : `, headers={"Authorization": "Bearer " + os.environ["EVERYWIRE_TOKEN"]}`;
  return [
    ...(headers === '' ? [] : ['import os']),
    'import requests',
    '',
    `response = requests.post(${pythonOf(url)}, json=${pythonOf(body)}${headers})`,
    'print(response.text)',
  ].join('\n');
}

/** JSON is an expression of JavaScript, except for a key that would set the prototype. */
const code = (body: string) => body.replaceAll('"__proto__":', '["__proto__"]:');
