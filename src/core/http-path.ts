/** A segment of a path: `users` is a literal, `{id}` a parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** How the paths begin that every app serves. The route table of HTTP has no others. */
export const FIXED_PATHS = [
  'openapi.json',
  'functions',
  'resources',
  'mcp',
  'healthz',
  'readyz',
  '.well-known/oauth-protected-resource',
] as const;

/** How the paths of tasks begin, in apps with functions that may become tasks. */
export const TASKS_PATH = 'tasks';

/** The segments of a valid path: `/users/{id}`. */
export function segmentsOf(path: string): readonly Segment[] {
  return path
    .slice(1)
    .split('/')
    .map((text) => (text.startsWith('{') ? { parameter: text.slice(1, -1) } : { literal: text }));
}

export function parametersIn(path: string): readonly string[] {
  return segmentsOf(path).flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
}

/** The same for paths that differ only in the names of parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^/]*\}/g, '{}');
}

// No percent-encoding and no other characters that some server, proxy or client might write differently.
const LITERAL = /^[\w.~-]+$/;
const PARAMETER = /^\{[^{}/]+\}$/;

/** What is wrong with the path of a function. */
export function problemsInPath(path: unknown): string[] {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    return [`path must be a string that starts with "/", such as /users/{id}, not ${JSON.stringify(path)}`];
  }
  const texts = path.slice(1).split('/');
  const problems = texts.flatMap((text, i) => problemsInSegment(text, i === texts.length - 1));
  const [first = ''] = texts;
  if (first.startsWith('{')) problems.push('the first segment of a path must not be a parameter');
  const taken = FIXED_PATHS.find((fixed) => isBelow(path, fixed));
  if (taken !== undefined) {
    const written = path.slice(0, taken.length + 1);
    problems.push(
      `${written} is a path of every app; choose another ${taken.includes('/') ? 'path' : 'first segment'}`,
    );
  }
  const repeated = texts.find((text, i) => PARAMETER.test(text) && texts.indexOf(text) !== i);
  if (repeated) problems.push(`${repeated} is in the path twice`);
  return problems.map((problem) => `path ${JSON.stringify(path)}: ${problem}`);
}

/** Some web servers and clients ignore case. */
export const isBelow = (path: string, fixed: string): boolean => `${path}/`.toLowerCase().startsWith(`/${fixed}/`);

function problemsInSegment(text: string, isLast: boolean): string[] {
  if (text === '') return [isLast ? 'must not end with "/"' : 'a segment must not be empty'];
  if (text === '.' || text === '..') return [`"${text}" is not a segment: clients resolve it`];
  if (/[{}]/.test(text)) {
    return PARAMETER.test(text) ? [] : [`a parameter must be a whole segment, such as {id}, not ${text}`];
  }
  if (LITERAL.test(text)) return [];
  return [`a segment may contain letters, digits, "-", "_", "." and "~", not ${JSON.stringify(text)}`];
}
