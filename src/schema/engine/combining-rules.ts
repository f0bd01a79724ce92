import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { expectation } from '../problem.ts';
import type { Compilation } from './compilation.ts';
import type { Rule, SchemaNode } from './schema-node.ts';

/** `allOf` and `$ref`: schemas that apply to the value itself. */
export function sameValue(nodes: readonly SchemaNode[]): Rule {
  return {
    accepts: (value, run) => {
      for (let i = 0; i < nodes.length; i++) if (!run.judge(nodes[i]!, value)) return false;
      return true;
    },
    explain: (value, place, report) => {
      for (const node of nodes) node.explain(value, place, report);
    },
    evaluate: (value, run, evaluated) => {
      for (const node of nodes) node.evaluate(value, run, evaluated);
    },
  };
}

/** `if` with its `then` and `else`. */
export function condition(given: JsonSchema | boolean, { compile, schema }: Compilation): Rule {
  const node = compile(given);
  const part = (name: 'then' | 'else') => (name in schema ? compile(schema[name] as JsonSchema | boolean) : undefined);
  const [yes, no] = [part('then'), part('else')];
  return {
    accepts: (value, run) => {
      const consequence = run.judge(node, value) ? yes : no;
      return consequence === undefined || run.judge(consequence, value);
    },
    explain: (value, place, report) => {
      (report.run.judge(node, value) ? yes : no)?.explain(value, place, report);
    },
    evaluate: (value, run, evaluated) => {
      if (!run.judge(node, value)) return no?.evaluate(value, run, evaluated);
      node.evaluate(value, run, evaluated);
      return yes?.evaluate(value, run, evaluated);
    },
  };
}

export function not(given: JsonSchema | boolean, { compile, schema }: Compilation): Rule {
  const node = compile(given);
  const words = isRecord(given) ? expectation(given) : 'a value';
  return {
    accepts: (value, run) => !run.judge(node, value),
    explain: (value, place, report) => {
      if (!report.run.judge(node, value)) return;
      report.expected(words === 'a value' ? 'something else' : `anything but ${words}`, value, place, schema);
    },
  };
}
