/**
 * An integer, for plain TypeScript modules: `import type { int } from 'everywire'`. Every number is assignable to it, and it to
 * every number; the second part only tells readers of types what is meant.
 */
// oxlint-disable-next-line typescript/naming-convention -- named like the primitive types
export type int = number & { 'json-schema'?: { type: 'integer' } };
