import { readFileSync } from 'node:fs';
import type { ModuleDescription } from './description.ts';
export async function describeModule(
  path: string,
): Promise<{ description: ModuleDescription; inputs: string[]; missing: string[] }> {
  const text = readFileSync(path, 'utf8');
  const functions: any[] = [];
  const refusals: any[] = [];
  for (const m of text.matchAll(/export function (\w+)\((.*?)\): (\w+)/g)) {
    const line = text.slice(0, m.index).split('\n').length;
    const params = m[2]!
      .split(',')
      .filter(Boolean)
      .map((p) => p.trim().split(': '));
    const T = (t: string) => ({ type: t === 'int' ? 'integer' : t });
    if (m[2]!.includes('=>'))
      refusals.push({
        name: m[1],
        file: path.split('/').pop(),
        line,
        column: 17,
        source: text.split('\n')[line - 1],
        reason: 'a parameter cannot be a function',
      });
    else
      functions.push({
        name: m[1],
        path: [m[1]],
        of: 'exports',
        description: m[1],
        parameters: params.map(([name]) => ({ kind: 'property', name })),
        input: {
          type: 'object',
          properties: Object.fromEntries(params.map(([n, t]) => [n, T(t!)])),
          required: params.map(([n]) => n),
        },
        result: m[3] === 'void' ? { kind: 'none' } : { kind: 'one', schema: T(m[3]!) },
        position: { file: path.split('/').pop(), line, column: 17 },
      });
  }
  return { description: { functions, refusals } as never, inputs: [path], missing: [] };
}
