import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { expectation } from '../problem.ts';
import { resolve } from '../schema-tree.ts';
import type { Compilation } from './compilation.ts';
import { evaluatedBefore } from './evaluated.ts';
import { below } from './place.ts';
import type { Rule } from './schema-node.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads an own field: every object inherits a few names. An undefined field counts as absent. */
const fieldOf = (fields: Fields, name: string) =>
  name in Object.prototype && !Object.hasOwn(fields, name) ? undefined : fields[name];

/** Most names are not inherited, so that the field can be read directly. */
const readerOf = (names: readonly string[]) => (names.some((name) => name in Object.prototype) ? fieldOf : undefined);

export function properties(
  given: Readonly<Record<string, JsonSchema | boolean>>,
  { compile }: Compilation,
): Rule<Fields> {
  const names = Object.keys(given);
  const nodes = names.map((name) => compile(given[name]!));
  const read = readerOf(names);
  return {
    accepts: (value, run) => {
      for (let i = 0; i < names.length; i++) {
        const field = read ? read(value, names[i]!) : value[names[i]!];
        if (field !== undefined && !nodes[i]!.accepts(field, run)) return false;
      }
      return true;
    },
    explain: (value, place, report) => {
      for (const [i, name] of names.entries()) {
        if (report.isFull) return;
        const field = fieldOf(value, name);
        if (field === undefined) continue;
        const at = below(place, name);
        if (given[name] === false) report.add(at, 'not a known field');
        else nodes[i]!.explain(field, at, report);
      }
    },
    evaluate: (_, __, evaluated) => {
      for (const name of names) evaluated.names.add(name);
    },
  };
}

export function patternProperties(
  given: Readonly<Record<string, JsonSchema | boolean>>,
  { compile }: Compilation,
): Rule<Fields> {
  const patterns = Object.entries(given).map(([source, schema]) => ({
    expression: new RegExp(source, 'u'),
    node: compile(schema),
  }));
  return {
    accepts: (value, run) =>
      Object.keys(value).every((name) =>
        patterns.every(({ expression, node }) => !expression.test(name) || node.accepts(value[name], run)),
      ),
    explain: (value, place, report) => {
      for (const name of Object.keys(value)) {
        for (const { expression, node } of patterns) {
          if (report.isFull) return;
          if (!expression.test(name)) continue;
          if (node.schema === false) report.add(below(place, name), 'not a known field');
          else node.explain(value[name], below(place, name), report);
        }
      }
    },
    evaluate: (value, _, evaluated) => {
      for (const name of Object.keys(value)) {
        if (patterns.some(({ expression }) => expression.test(name))) evaluated.names.add(name);
      }
    },
  };
}

export function additionalProperties(given: JsonSchema | boolean, { compile, schema }: Compilation): Rule<Fields> {
  const node = compile(given);
  const known = new Set(Object.keys(schema.properties ?? {}));
  const patterns = Object.keys(schema['patternProperties'] ?? {}).map((source) => new RegExp(source, 'u'));
  const isKnown = (name: string) => known.has(name) || patterns.some((expression) => expression.test(name));
  return {
    accepts: (value, run) => {
      if (given === true) return true;
      for (const name of Object.keys(value)) {
        if (!isKnown(name) && value[name] !== undefined && !node.accepts(value[name], run)) return false;
      }
      return true;
    },
    explain: (value, place, report) => {
      if (given === true) return;
      for (const name of Object.keys(value)) {
        if (report.isFull) return;
        if (isKnown(name) || value[name] === undefined) continue;
        if (given === false) report.add(below(place, name), 'not a known field');
        else node.explain(value[name], below(place, name), report);
      }
    },
    evaluate: (_, __, evaluated) => {
      evaluated.all = true;
    },
  };
}

export function propertyNames(given: JsonSchema | boolean, { compile }: Compilation): Rule<Fields> {
  const node = compile(given);
  return {
    accepts: (value, run) => Object.keys(value).every((name) => node.accepts(name, run)),
    explain: (value, place, report) => {
      for (const name of Object.keys(value)) {
        if (report.isFull) return;
        if (!node.accepts(name, report.run)) report.add(below(place, name), 'not an allowed name');
      }
    },
  };
}

export function required(names: readonly string[], { schema, root }: Compilation): Rule<Fields> {
  const read = readerOf(names);
  const words = (name: string) => {
    const declared = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const wanted = isRecord(declared) ? expectation(resolve({ schema: declared, root })) : 'a value';
    return wanted === 'a value' ? 'required' : `required, expected ${wanted}`;
  };
  return {
    accepts: (value) => {
      for (let i = 0; i < names.length; i++) {
        if ((read ? read(value, names[i]!) : value[names[i]!]) === undefined) return false;
      }
      return true;
    },
    explain: (value, place, report) => {
      for (const name of names) {
        if (report.isFull) return;
        if (fieldOf(value, name) === undefined) report.missing(name, place, words(name));
      }
    },
  };
}

export function dependentRequired(given: Readonly<Record<string, readonly string[]>>): Rule<Fields> {
  const entries = Object.entries(given);
  const missing = (value: Fields) =>
    entries.flatMap(([name, others]) =>
      fieldOf(value, name) === undefined
        ? []
        : others.filter((other) => fieldOf(value, other) === undefined).map((other) => ({ name, other })),
    );
  return {
    accepts: (value) => missing(value).length === 0,
    explain: (value, place, report) => {
      for (const { name, other } of missing(value)) {
        if (!report.isFull) report.missing(other, place, `required where ${JSON.stringify(name)} is given`);
      }
    },
  };
}

export function dependentSchemas(
  given: Readonly<Record<string, JsonSchema | boolean>>,
  { compile }: Compilation,
): Rule<Fields> {
  const entries = Object.entries(given).map(([name, schema]) => ({ name, node: compile(schema) }));
  const fitting = (value: Fields) => entries.filter(({ name }) => fieldOf(value, name) !== undefined);
  return {
    accepts: (value, run) => fitting(value).every(({ node }) => run.judge(node, value)),
    explain: (value, place, report) => {
      for (const { name, node } of fitting(value)) {
        if (node.schema === false) report.add(below(place, name), 'not a known field');
        else node.explain(value, place, report);
      }
    },
    evaluate: (value, run, evaluated) => {
      for (const { node } of fitting(value)) node.evaluate(value, run, evaluated);
    },
  };
}

export function unevaluatedProperties(given: JsonSchema | boolean, { compile, self }: Compilation): Rule<Fields> {
  const node = compile(given);
  const rule: Rule<Fields> = {
    accepts: (value, run) => {
      const evaluated = evaluatedBefore(rule, self, value, run);
      return Object.keys(value).every((name) => evaluated.hasName(name) || node.accepts(value[name], run));
    },
    explain: (value, place, report) => {
      const evaluated = evaluatedBefore(rule, self, value, report.run);
      for (const name of Object.keys(value)) {
        if (report.isFull) return;
        if (evaluated.hasName(name)) continue;
        if (given === false) report.add(below(place, name), 'not a known field');
        else node.explain(value[name], below(place, name), report);
      }
    },
    evaluate: (_, __, evaluated) => {
      evaluated.all = true;
    },
  };
  return rule;
}
