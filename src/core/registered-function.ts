import type { JsonSchema } from '../schema/json-schema.ts';
import type { Revive } from '../schema/revive.ts';
import type { ReadSchema } from '../schema/schema.ts';
import type { Admit, Results, Returned } from './input-output.ts';
import type { HttpFacts } from './definition-http.ts';
import type { compileThrown } from './failure.ts';
import type { FunctionDefinition } from './function.ts';
import type { Names } from './names.ts';
import type { TaskMode } from './task.ts';

/** What is called: a function, a resource, a prompt, or an operation on resources, prompts or tasks. */
export type Kind = 'function' | 'resource' | 'prompt' | 'list' | 'completion' | 'subscription' | 'task';

/** A function of an app: its names, its schemas and its compiled validators. */
export interface RegisteredFunction extends Names, Results {
  readonly kind: Kind;
  readonly title: string;
  readonly description: string;
  readonly definition: FunctionDefinition;
  readonly inputSchema: JsonSchema;
  readonly returned: Returned;
  /** The schema of what a generator yields, if its author declares it. */
  readonly yields: ReadSchema | undefined;
  /** Checks what a generator yields, and converts it to its wire form. */
  readonly releaseChunk: Results['release'];
  /** Decodes dates, BigInt and bytes in chunks, for code in this process; undefined if there are none. */
  readonly reviveChunk: Revive | undefined;
  /** Parses arguments with the schema library, including the author's refinements. */
  readonly parse: ReadSchema['parse'];
  readonly admit: Admit;
  /** Whether unknown arguments are refused, and whether texts are converted. */
  readonly strict: boolean;
  readonly coerce: boolean;
  /** Whether arguments may contain dates, BigInt or bytes. Callers in this process pass these unencoded. */
  readonly hasWireForms: boolean;
  /** Whether arguments may contain files. */
  readonly takesFiles: boolean;
  /** Whether the result is a file, which a wire may send as it is. */
  readonly returnsFile: boolean;
  /** Decodes dates, BigInt and bytes in results, for code in this process; undefined if there are none. */
  readonly revive: Revive | undefined;
  /** Calls the author's `describe`; returns undefined if that throws. Not set without `describe`. */
  readonly describeResult: ((data: unknown) => string | undefined) | undefined;
  /** Turns a thrown error into a failure, if the function declares its class. */
  readonly toFailure: ReturnType<typeof compileThrown>;
  /** Time limit in milliseconds; 0 for none. */
  readonly timeout: number;
  readonly http: HttpFacts;
  readonly task: TaskMode;
}
