import type { DeclaredErrors } from '../../core/codes.ts';
import type { FailureData, Outcome } from '../../core/outcome.ts';
import type { Returned } from '../../core/results.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

export const profileNames = ['plain', 'envelope', 'status', 'problem', 'mcp'] as const;

export type ProfileName = (typeof profileNames)[number];

/** What a profile may know of the function that was called. Every function of an app has it. */
export interface Described {
  readonly returned: Returned;
  readonly inWords?: ((data: unknown) => string | undefined) | undefined;
  readonly definition?: { readonly errors?: DeclaredErrors };
}

/** How an outcome looks as a body, and how a body is read. */
export interface Profile {
  readonly name: ProfileName;
  /** The profile whose body this one carries, if it carries one. */
  readonly inner?: Profile;
  /** Where failures have a media type of their own. */
  readonly failureType?: string;
  /** What a failure's body does not say; on HTTP it stands in headers, in MCP beside the result. */
  readonly loses: readonly Exclude<keyof FailureData, 'message'>[];
  /** The body. No function: none was found to ask. */
  readonly render: (outcome: Outcome, fn?: Described) => object;
  /** The same as text, where that can be had for less; undefined where not. */
  readonly write?: (outcome: Outcome, fn?: Described) => string | undefined;
  /** The way back; undefined when the body is not one of this profile. */
  readonly read: (body: unknown, fn?: Described) => Outcome | undefined;
  /** The schema of a success body: MCP's outputSchema and OpenAPI's 200 are this one. */
  readonly successSchema: (returned: Returned) => JsonSchema;
  readonly failureSchema: JsonSchema;
}
