import type { App } from '../../../app.ts';
import type { Complete } from '../../../core/resource.ts';

interface CompletionRequest {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
}

interface Completion {
  [key: string]: unknown;
  values: string[];
  total: number;
  hasMore: boolean;
}

/** As many as the protocol allows. */
const MOST = 100;

/** Suggestions for an argument of a prompt or a variable of a resource: the author's, or the values its schema lists. */
export async function complete(app: App, { ref, argument }: CompletionRequest): Promise<Completion> {
  const found = await suggestions(app, ref, argument.name)?.(argument.value);
  const fitting = (found ?? []).filter((value) => value.toLowerCase().startsWith(argument.value.toLowerCase()));
  return { values: fitting.slice(0, MOST), total: fitting.length, hasMore: fitting.length > MOST };
}

function suggestions(app: App, { name, uri }: CompletionRequest['ref'], argument: string): Complete | undefined {
  const resource = app.resources.list.find(({ definition }) => definition.uri === uri);
  if (resource) return resource.definition.complete?.[argument];
  const prompt = app.prompts.list.find(({ definition }) => definition.name === name);
  const values = prompt?.inputSchema.properties?.[argument]?.enum;
  return prompt?.definition.complete?.[argument] ?? (values && (() => values.map(String)));
}
