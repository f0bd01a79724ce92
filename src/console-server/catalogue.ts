import type { App } from '../app/app.ts';
import { codes, factsOf } from '../core/codes.ts';
import { functionNotFound } from '../core/not-found.ts';
import type { Failed } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import { isPlain, moduleOf } from '../load/app-origin.ts';
import { MAX_DEPTH } from '../schema/bounds.ts';
import { toJson } from '../schema/to-json.ts';
import { version } from '../version.ts';
import { declaredRoute } from '../wires/http/routes.ts';
import { createCatalog } from '../wires/mcp/catalog.ts';
import { withoutValues } from './configurations.ts';
import type { ConsoleOptions } from './console-options.ts';

export interface Catalogue {
  /** The app and its functions in a few words each: there may be ten thousand. */
  list(app: App, isAdmitted: boolean, options: ConsoleOptions): object;
  find(app: App, name: string): object | Failed;
}

export function createCatalogue(app: App): Catalogue {
  const tools = new Map<string, object>();
  const module = moduleOf(app);

  return {
    list: (shown, isAdmitted, { command, flags = [] }) => ({
      app: {
        name: app.name,
        version: app.version,
        description: app.description,
        profile: app.profile.name,
        tags: app.tags,
        everywire: version,
        hasAccess: app.access !== undefined,
        hasTasks: app.tasks.isUsed,
        hasDots: shown.functions.some(({ operationId }) => operationId.includes('.')),
        // What this caller may do here, and what can be started.
        mayWatch: isAdmitted,
        isPlain: isPlain(app),
        ...(isAdmitted && module !== undefined && command && { module, command, flags: withoutValues(flags) }),
      },
      codes,
      functions: shown.functions.map(summaryOf),
    }),
    find(shown, name) {
      const fn = shown.find(name);
      return fn ? detailsOf(fn, toolOf(fn)) : functionNotFound(name);
    },
  };

  function toolOf(fn: RegisteredFunction): object | undefined {
    if (tools.size === 0) {
      const { tools: listed } = createCatalog(app, { wire: 'process' }, {});
      for (const [i, one] of app.functions.entries()) tools.set(one.name, listed.modern[i]!);
    }
    return tools.get(fn.name);
  }
}

/** What the list shows. */
function summaryOf({ name, title, description, group, task, definition }: RegisteredFunction): object {
  const { tags, hints, deprecated } = definition;
  return {
    name,
    title,
    description: description.length > MAX_SUMMARY ? `${description.slice(0, MAX_SUMMARY)}…` : description,
    ...(group !== undefined && { group }),
    ...(tags && { tags }),
    ...(hints && { hints }),
    ...(deprecated && { deprecated }),
    ...(task !== 'never' && { task }),
  };
}

const MAX_SUMMARY = 140;

function detailsOf(fn: RegisteredFunction, tool: object | undefined): object {
  const { returned, definition } = fn;
  const outputs = returned.kind === 'none' ? [] : returned.kind === 'one' ? [returned.schema] : returned.schemas;
  return {
    ...summaryOf(fn),
    description: fn.description,
    operationId: fn.operationId,
    words: fn.words,
    http: declaredRoute(fn),
    scopes: typeof definition.scopes === 'function' ? 'depends on the arguments' : definition.scopes,
    timeout: fn.timeout,
    inputSchema: fn.inputSchema,
    outputs: outputs.map(({ json }) => json),
    isSeveral: returned.kind === 'several',
    streams: fn.yields?.json,
    takesFiles: fn.takesFiles,
    returnsFile: fn.returnsFile,
    errors: Object.entries(definition.errors ?? {}).map(([code, declared]) => ({
      code,
      ...factsOf(code, definition.errors),
      when: declared.description,
    })),
    examples: (definition.examples ?? []).map(({ title, input, output }) => ({
      title,
      input: asSent(input),
      output: asSent(output),
    })),
    tool,
  };
}

/** An example as a wire would send it. */
function asSent(value: unknown): unknown {
  const sent = toJson(value, MAX_DEPTH);
  return sent.problem ? undefined : sent.value;
}
