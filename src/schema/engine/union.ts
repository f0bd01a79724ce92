import { isRecord } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { expectation } from '../problem.ts';
import { resolve } from '../schema-tree.ts';
import { below } from './place.ts';
import type { Rule, SchemaNode } from './schema-node.ts';
import { closestBranch, hasOtherType, isRuledOut, discriminatorOf } from './union-branches.ts';
import type { Run } from './run.ts';

/**
 * `anyOf` and `oneOf`. If the branches have a discriminator (such as `kind`), only the branches that it selects are
 * looked at, to validate and to explain.
 */
export function union(branches: readonly SchemaNode[], root: JsonSchema, isExclusive: boolean): Rule {
  const schemas = branches.map(({ schema }) => schema);
  const discriminator = discriminatorOf(schemas, root);
  const pick = (indexes: readonly number[]) => indexes.map((index) => branches[index]!);
  const tagged = discriminator && new Map([...discriminator.values].map(([value, indexes]) => [value, pick(indexes)]));
  const untagged = discriminator ? pick(discriminator.untagged) : [];
  const withoutTag = discriminator ? pick(discriminator.optional) : [];

  /** The branches that the discriminator of the value allows. */
  const candidates = (value: unknown): readonly SchemaNode[] => {
    if (!discriminator || !tagged || !isRecord(value)) return branches;
    const named = Object.hasOwn(value, discriminator.name) ? value[discriminator.name] : undefined;
    if (named === undefined) return withoutTag;
    // The map finds primitive values only: an object may equal a listed one without being identical.
    return typeof named === 'object' && named !== null ? branches : (tagged.get(named) ?? untagged);
  };

  const accepts = (value: unknown, run: Run) => {
    let found = false;
    for (const branch of candidates(value)) {
      if (!run.judge(branch, value)) continue;
      if (!isExclusive) return true;
      if (found) return false;
      found = true;
    }
    return found;
  };

  return {
    accepts,
    explain(value, place, report) {
      if (accepts(value, report.run)) return;
      const possible = candidates(value);
      if (possible.some((branch) => report.run.judge(branch, value))) {
        return report.add(place, 'fits more than one of the alternatives');
      }
      let meant = possible.filter(({ schema }) => !isRuledOut(value, schema, root));
      const given: unknown =
        discriminator && isRecord(value) && Object.hasOwn(value, discriminator.name)
          ? value[discriminator.name]
          : undefined;
      if (
        discriminator &&
        (possible.length === 0 || (meant.length === 0 && typeof given === 'object' && given !== null))
      ) {
        const allowed: JsonSchema = { enum: [...discriminator.values.keys()] };
        if (given === undefined)
          return report.missing(discriminator.name, place, `required, expected ${expectation(allowed)}`);
        return report.expected(expectation(allowed), given, below(place, discriminator.name), allowed);
      }
      // All branches are ruled out by a field: naming that field says more than naming the types.
      if (meant.length === 0) meant = possible.filter(({ schema }) => !hasOtherType(value, schema, root));
      // If only one branch is possible, its problems say more than a list of alternatives; for objects, the closest
      // branch is explained.
      const one = meant.length > 1 && typeof value === 'object' ? closestBranch(value, meant, root) : meant[0];
      if (one && (meant.length === 1 || typeof value === 'object')) return one.explain(value, place, report);
      const anyOf = schemas.map((schema) => (isRecord(schema) ? resolve({ schema, root }) : schema));
      return report.expected(expectation({ anyOf }), value, place, { anyOf });
    },
    evaluate(value, run, evaluated) {
      for (const branch of candidates(value)) {
        if (run.judge(branch, value)) branch.evaluate(value, run, evaluated);
      }
    },
  };
}
