import { segmentsOf } from '../../core/http-path.ts';

/** A path that was found, and its values as they were sent: percent-encoded. */
export interface FoundPath<T> {
  readonly found: T;
  readonly values: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  found: T | undefined;
}

const createNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, found: undefined });

/**
 * Paths with parameters, such as `/users/{id}`. The time to find one depends on the path, not on how many there are. A
 * literal segment takes precedence over a parameter: `/users/me` before `/users/{id}`.
 */
export class PathTree<T> {
  readonly #root = createNode<T>();
  #depth = 0;

  add(path: string, found: T): void {
    const segments = segmentsOf(path);
    this.#depth = Math.max(this.#depth, segments.length);
    let node = this.#root;
    for (const segment of segments) {
      if ('parameter' in segment) node = node.parameter ??= createNode();
      else {
        let next = node.literals.get(segment.literal);
        if (!next) node.literals.set(segment.literal, (next = createNode()));
        node = next;
      }
    }
    node.found = found;
  }

  find(path: string): FoundPath<T> | undefined {
    const segments = path.split('/', this.#depth + 2).slice(1);
    return segments.length > this.#depth ? undefined : this.#find(this.#root, segments, 0, []);
  }

  #find(node: Node<T>, segments: readonly string[], at: number, values: string[]): FoundPath<T> | undefined {
    if (at === segments.length)
      return node.found === undefined ? undefined : { found: node.found, values: [...values] };
    const sent = segments[at]!;
    const text = decodeSegment(sent) ?? sent;
    const literal = node.literals.get(text);
    const found = literal && this.#find(literal, segments, at + 1, values);
    // `.` and `..` are never values: most clients resolve them, also if they are percent-encoded.
    if (found || !node.parameter || text === '' || text === '.' || text === '..') return found;
    values.push(sent);
    const matched = this.#find(node.parameter, segments, at + 1, values);
    values.pop();
    return matched;
  }
}

/** Decodes percent-encoding; undefined if it is broken. */
export function decodeSegment(sent: string): string | undefined {
  if (!sent.includes('%')) return sent;
  try {
    return decodeURIComponent(sent);
  } catch {
    return undefined;
  }
}
