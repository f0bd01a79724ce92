import { allowsType } from '../allows-type.ts';
import { truncate } from '../truncate.ts';
import type { JsonSchema } from '../json-schema.ts';
import { MAX_CHARACTERS, MAX_MESSAGE, MAX_PROBLEMS, MORE_PROBLEMS, received } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { Secrets } from '../secrets.ts';
import { pointerAt } from './place.ts';
import type { Place } from './place.ts';
import { Run } from './run.ts';

/** Collects the problems of a value, up to a limit in number and size. */
export class Report {
  readonly run = new Run(true);
  readonly #problems: Problem[] = [];
  readonly #secrets: Secrets;
  #characters = 0;

  constructor(private readonly root: JsonSchema) {
    this.#secrets = new Secrets(root);
  }

  /** The limit is exceeded: the search for problems stops. */
  get isFull(): boolean {
    return this.#problems.length > MAX_PROBLEMS || this.#characters > MAX_CHARACTERS;
  }

  get count(): number {
    return this.#problems.length;
  }

  /** All problems; a last entry says if there are more. */
  get problems(): readonly Problem[] {
    return this.isFull ? [...this.#problems.slice(0, MAX_PROBLEMS), MORE_PROBLEMS] : this.#problems;
  }

  /** Reports an unexpected value; secret values are not shown. */
  expected(what: string, value: unknown, place: Place | undefined, schema: JsonSchema | boolean): void {
    const isHidden = this.#secrets.exist && (this.#secrets.areAt(place) || this.#isMisplaced(value, schema));
    this.add(place, isHidden ? `expected ${what}` : `expected ${what}, got ${received(value)}`);
  }

  missing(name: string, place: Place | undefined, why: string): void {
    this.add({ parent: place, key: name }, why, name);
  }

  add(place: Place | undefined, message: string, missing?: string): void {
    const pointer = pointerAt(place);
    const text = truncate(message, MAX_MESSAGE);
    this.#characters += pointer.length + text.length;
    const last = this.#problems.at(-1);
    // A format and its pattern report the same.
    if (last?.pointer === pointer && last.message === text) return;
    this.#problems.push({ pointer, message: text, ...(missing !== undefined && { missing }) });
  }

  /** A string or number in place of an object or array may be or contain a secret. */
  #isMisplaced(value: unknown, schema: JsonSchema | boolean): boolean {
    const isShown = typeof value === 'string' || typeof value === 'number';
    return isShown && ['object', 'array'].some((type) => allowsType(schema, type, this.root));
  }
}
