import type { JsonSchema } from '../schema/json-schema.ts';

// What the server sends to this page: see console-server/catalogue.ts.

export interface Summary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly group?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly hints?: { readonly readOnly?: boolean; readonly idempotent?: boolean; readonly destructive?: boolean };
  readonly task?: 'allowed' | 'always';
}

interface CodeRow {
  readonly status: number;
  readonly mcp: string | number;
  readonly exit: number;
  readonly retry: boolean;
  readonly when: string;
}

export interface Details extends Summary {
  readonly operationId: string;
  readonly words: readonly string[];
  readonly http: { readonly path: string; readonly method: string };
  readonly scopes?: readonly string[] | string;
  readonly inputSchema: JsonSchema;
  readonly outputs: readonly JsonSchema[];
  readonly isSeveral: boolean;
  readonly streams?: JsonSchema;
  readonly takesFiles: boolean;
  readonly returnsFile: boolean;
  readonly errors: readonly (CodeRow & { readonly code: string })[];
  readonly examples: readonly { readonly title?: string; readonly input?: unknown; readonly output?: unknown }[];
  readonly tool: object;
}

export interface AppFacts {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly profile: Profile;
  readonly tags: Readonly<Record<string, string>>;
  readonly everywire: string;
  readonly hasAccess: boolean;
  readonly hasTasks: boolean;
  /** Whether a tool name has a dot. */
  readonly hasDots: boolean;
  /** Whether this user may watch the server and compare wires. */
  readonly mayWatch: boolean;
  readonly module?: string;
  /** Whether the module exports functions and no app. */
  readonly isPlain?: boolean;
  readonly command?: readonly string[];
  /** The options for variables and mounts that the server was started with: each is followed by its value, which is only a name for `--env`. */
  readonly flags?: readonly string[];
}

export interface Catalogue {
  readonly app: AppFacts;
  readonly codes: Readonly<Record<string, CodeRow>>;
  readonly functions: readonly Summary[];
}

export const PROFILES = ['plain', 'envelope', 'status', 'problem', 'mcp'] as const;
export type Profile = (typeof PROFILES)[number];

/** An audit record. */
export interface CallRecord {
  readonly time: string;
  readonly operationId: string;
  readonly wire: string;
  readonly principal?: { readonly id: string; readonly kind: string };
  readonly task?: { readonly id: string };
  readonly code: string;
  readonly duration: number;
  readonly bytes: number;
  readonly repairs: readonly { readonly pointer: string; readonly did: string }[];
}
