import type { JsonSchema } from '../schema/json-schema.ts';
import type { Revive } from '../schema/revive.ts';
import type { ReadSchema } from '../schema/schema.ts';
import type { Admit } from './arguments.ts';
import type { FunctionDefinition } from './function.ts';
import type { Names } from './names.ts';
import type { Results, Returned } from './results.ts';

/** What a caller reaches: a function, a resource that is read, a prompt; the list of resources, suggestions, changes. */
export type Kind = 'function' | 'resource' | 'prompt' | 'list' | 'completion' | 'subscription';

/** A function as an app serves it: named, read, and compiled. */
export interface RegisteredFunction extends Names, Results {
  readonly kind: Kind;
  readonly title: string;
  readonly description: string;
  readonly definition: FunctionDefinition;
  readonly inputSchema: JsonSchema;
  readonly returned: Returned;
  /** The schema library's own pass over arguments; the author's refinements run in it. */
  readonly parse: ReadSchema['parse'];
  readonly admit: Admit;
  /** Whether its arguments have dates, BigInt or bytes, which a caller in this process gives as they are. */
  readonly takesForms: boolean;
  /** Brings an answer's dates, BigInt and bytes back, for callers and code in this process; undefined without any. */
  readonly revive: Revive | undefined;
  /** The author's words for an answer, where there are any; undefined when none are to be had. */
  readonly inWords: ((data: unknown) => string | undefined) | undefined;
  /** Milliseconds a call may take; 0 for no limit. */
  readonly timeout: number;
}
