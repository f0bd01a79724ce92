import type { DeclaredErrors } from '../../core/codes.ts';
import type { FailureData, Outcome } from '../../core/outcome.ts';
import type { Returned } from '../../core/input-output.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

export const profileNames = ['plain', 'envelope', 'status', 'problem', 'mcp'] as const;

export type ProfileName = (typeof profileNames)[number];

/** What a profile knows about the function that was called. Every function of an app has it. */
export interface Described {
  readonly returned: Returned;
  readonly describeResult?: ((data: unknown) => string | undefined) | undefined;
  readonly definition?: { readonly errors?: DeclaredErrors };
}

/** Converts outcomes to bodies and bodies to outcomes. */
export interface Profile {
  readonly name: ProfileName;
  /** The profile of the body inside this one, if there is one. */
  readonly inner?: Profile;
  /** The media type of failures, if it differs from that of successes. */
  readonly failureType?: string;
  /** The fields of a failure that its body lacks. HTTP sends them in headers, MCP in `_meta`. */
  readonly loses: readonly Exclude<keyof FailureData, 'message'>[];
  /** Creates the body. There is no function if none was found. */
  readonly render: (outcome: Outcome, fn?: Described) => object;
  /** Serializes the body, if there is a faster way than JSON.stringify; else undefined. */
  readonly write?: (outcome: Outcome, fn?: Described) => string | undefined;
  /** Reads a body; undefined if it does not belong to this profile. */
  readonly read: (body: unknown, fn?: Described) => Outcome | undefined;
  /** The schema of a success body: used as MCP's outputSchema and OpenAPI's 200 response. */
  readonly successSchema: (returned: Returned) => JsonSchema;
  readonly failureSchema: JsonSchema;
}
