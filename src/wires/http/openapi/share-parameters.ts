import { isRecord } from '../../../schema/json-schema.ts';
import { ComponentNames, toPascalCase } from './names.ts';
import { SMALL } from './sharing.ts';

type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Replaces parameters that several operations have, unless they are short. Returns those, by name. */
export function shareParameters(paths: Paths): Record<string, object> {
  const lists = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => ('parameters' in operation ? [operation.parameters as object[]] : []));
  const uses = new Map<string, number>();
  for (const parameter of lists.flat()) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const names = new ComponentNames();
  const shared = new Map<string, readonly [name: string, parameter: object]>();
  for (const list of lists) {
    for (const [i, parameter] of list.entries()) {
      const text = JSON.stringify(parameter);
      if (text.length < SMALL || uses.get(text) === 1) continue;
      const known = shared.get(text) ?? [names.claim([nameOf(parameter)]), parameter];
      shared.set(text, known);
      list[i] = { $ref: `#/components/parameters/${known[0]}` };
    }
  }
  return Object.fromEntries(shared.values());
}

const nameOf = (parameter: object) => (isRecord(parameter) ? toPascalCase(String(parameter['name'])) : '');
