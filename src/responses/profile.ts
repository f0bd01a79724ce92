import type { Outcome } from '../core/outcome.ts';
import type { Returned } from '../core/results.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** How an outcome looks as a body. */
export interface Profile {
  readonly name: string;
  readonly mediaType: string;
  /** The body. `returned` says how many values there are; it is undefined when no function was found to ask. */
  render(outcome: Outcome, returned: Returned | undefined): object;
  /** The schema of a success body: MCP's outputSchema and OpenAPI's 200 are this one. */
  successSchema(returned: Returned): JsonSchema;
  readonly failureSchema: JsonSchema;
}
