import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { expectation } from '../problem.ts';
import { resolve } from '../schema-tree.ts';
import type { Compilation } from './compilation.ts';
import { evaluatedBefore } from './evaluated.ts';
import { many } from './limit-rule.ts';
import { below } from './place.ts';
import type { Rule } from './schema-node.ts';

type Items = readonly unknown[];

export function prefixItems(given: readonly (JsonSchema | boolean)[], { compile }: Compilation): Rule<Items> {
  const nodes = given.map(compile);
  return {
    accepts: (value, run) => nodes.every((node, i) => i >= value.length || node.accepts(value[i], run)),
    explain: (value, place, report) => {
      for (const [i, node] of nodes.entries()) {
        if (i < value.length) node.explain(value[i], below(place, i), report);
      }
    },
    evaluate: (_, __, evaluated) => {
      evaluated.first = Math.max(evaluated.first, nodes.length);
    },
  };
}

export function items(given: JsonSchema | boolean, { compile, schema }: Compilation): Rule<Items> {
  const node = compile(given);
  const start = ((schema['prefixItems'] ?? []) as Items).length;
  return {
    accepts: (value, run) => {
      for (let i = start; i < value.length; i++) if (!node.accepts(value[i], run)) return false; // holes too
      return true;
    },
    explain: (value, place, report) => {
      if (given === false && value.length > start) {
        return report.expected(`at most ${many(start, 'item')}`, value, place, schema);
      }
      for (let i = start; i < value.length && !report.isFull; i++) node.explain(value[i], below(place, i), report);
    },
    evaluate: (_, __, evaluated) => {
      evaluated.all = true;
    },
  };
}

export function contains(given: JsonSchema | boolean, { compile, schema, root }: Compilation): Rule<Items> {
  const node = compile(given);
  const [least, most] = [(schema['minContains'] ?? 1) as number, (schema['maxContains'] ?? Infinity) as number];
  const words = isRecord(given) ? expectation(resolve({ schema: given, root })) : 'a value';
  return {
    accepts: (value, run) => {
      let count = 0;
      for (let i = 0; i < value.length && count <= most; i++) {
        if (run.judge(node, value[i])) count++;
        if (count >= least && most === Infinity) return true;
      }
      return count >= least && count <= most;
    },
    explain: (value, place, report) => {
      const count = value.filter((item) => report.run.judge(node, item)).length;
      if (count < least) report.expected(`at least ${many(least, 'item')} of ${words}`, value, place, schema);
      if (count > most) report.expected(`at most ${many(most, 'item')} of ${words}`, value, place, schema);
    },
    evaluate: (value, run, evaluated) => {
      for (const [i, item] of value.entries()) if (run.judge(node, item)) evaluated.indexes.add(i);
    },
  };
}

export function unevaluatedItems(given: JsonSchema | boolean, { compile, self, schema }: Compilation): Rule<Items> {
  const node = compile(given);
  const rule: Rule<Items> = {
    accepts: (value, run) => {
      const evaluated = evaluatedBefore(rule, self, value, run);
      return value.every((item, i) => evaluated.hasIndex(i) || node.accepts(item, run));
    },
    explain: (value, place, report) => {
      const evaluated = evaluatedBefore(rule, self, value, report.run);
      for (let i = 0; i < value.length && !report.isFull; i++) {
        if (evaluated.hasIndex(i)) continue;
        if (given === false) return report.expected(`at most ${many(i, 'item')}`, value, place, schema);
        node.explain(value[i], below(place, i), report);
      }
    },
    evaluate: (_, __, evaluated) => {
      evaluated.all = true;
    },
  };
  return rule;
}
