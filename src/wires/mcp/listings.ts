import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { createMcp, returnsContent } from '../../responses/profiles/mcp.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

/** What an app offers over MCP, made once: lists do not vary by connection. */
export interface Listings {
  readonly tools: readonly object[];
  readonly prompts: readonly object[];
}

/** MCP's result around the body that every other wire sends. */
export function mcpProfileOf(app: App): Profile {
  return createMcp(app.profile.name === 'mcp' ? undefined : app.profile);
}

export function createListings(app: App, isPortable = false): Listings {
  return {
    tools: app.functions.map((fn) => ({ ...toolOf(app, fn), ...(isPortable && { name: portable(fn.operationId) }) })),
    prompts: app.prompts.list.map(({ definition, inputSchema }) => ({
      ...factsOf(definition),
      arguments: argumentsOf(inputSchema),
    })),
  };
}

/** As every host takes it. */
const portable = (name: string) => name.replaceAll('.', '_');

interface Facts {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly mimeType?: string;
}

function factsOf({ name, title, description, mimeType }: Facts): object {
  return { name, ...(title && { title }), description, ...(mimeType && { mimeType }) };
}

function toolOf(app: App, fn: RegisteredFunction): object {
  const { readOnly, idempotent, destructive } = fn.definition.hints ?? {};
  const annotations = {
    title: fn.title,
    ...(readOnly !== undefined && { readOnlyHint: readOnly }),
    ...(idempotent !== undefined && { idempotentHint: idempotent }),
    ...(destructive !== undefined && { destructiveHint: destructive }),
  };
  const inner = app.profile.name === 'mcp' ? app.profiles.plain : app.profile;
  return {
    name: fn.operationId,
    title: fn.title,
    description: fn.description,
    inputSchema: fn.inputSchema,
    ...(!returnsContent(fn) && { outputSchema: inner.successSchema(fn.returned) }),
    annotations,
  };
}

function argumentsOf({ properties = {}, required = [] }: JsonSchema): readonly object[] {
  return Object.entries(properties).map(([name, { description }]) => ({
    name,
    ...(description !== undefined && { description }),
    required: required.includes(name),
  }));
}
