import { suggest } from '../schema/suggest.ts';

/** The keys of an options type. `satisfies Known<Options>` makes the compiler name a key that was forgotten. */
export type Known<Options> = Readonly<Record<keyof Options, true>>;

/** What the same is called in other frameworks, where the spelling gives no hint. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  returns: 'output',
  outputSchema: 'output',
  parameters: 'input',
  inputSchema: 'input',
  args: 'input',
  handler: 'run',
  execute: 'run',
  annotations: 'hints',
  hostname: 'host',
  https: 'tls',
};

/**
 * One sentence for each option that does not exist: it would be ignored, and nobody would notice. `place` says where it is.
 * Instances of classes may have fields of their own.
 */
export function unknownOptions(given: unknown, known: Readonly<Record<string, true>>, place?: string): string[] {
  if (!isPlainObject(given)) return [];
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(known, name))
    .map(([name]) => {
      const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
      const meant = elsewhere !== undefined && Object.hasOwn(known, elsewhere) ? elsewhere : nearest(name, known);
      const prefix = place === undefined ? '' : `${place}: `;
      return `${prefix}unknown option ${JSON.stringify(name)}${meant ? ` (did you mean ${JSON.stringify(meant)}?)` : ''}`;
    });
}

const nearest = (name: string, known: object) => suggest(name, Object.keys(known));

/** Also one of another realm, whose Object.prototype is not ours. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
