/** A documentation comment, taken apart. */
export interface JsDoc {
  readonly description: string;
  readonly tags: readonly JsDocTag[];
}

export interface JsDocTag {
  /** In lower case, without `@`. */
  readonly name: string;
  readonly text: string;
}

const NOTHING: JsDoc = { description: '', tags: [] };

/** Finds the last documentation comment in what precedes a declaration: `start` is where the trivia before it begins. */
export function readJsDoc(text: string, start: number): JsDoc {
  let found: string | undefined;
  for (let at = skipSpace(text, start); text[at] === '/'; at = skipSpace(text, at)) {
    const end = endOfComment(text, at);
    if (end === undefined) break;
    if (text.startsWith('/**', at) && end - at > 4) found = text.slice(at + 3, end - 2);
    at = end;
  }
  return found === undefined ? NOTHING : parse(found);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at]!.trim() === '') at++;
  return at;
}

function endOfComment(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return undefined;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? undefined : end + 2;
}

/** Takes the inside of a comment apart. A line that starts with `@` starts a tag, except in a code block. */
function parse(comment: string): JsDoc {
  const parts: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  const bare = comment.split(/\r?\n/).map((line) => line.replace(/^\s*\*? ?/, ''));
  const code = codeLines(bare);
  for (const [i, whole] of bare.entries()) {
    for (const line of code.has(i) ? [whole] : beforeLimits(whole)) {
      const tag = code.has(i) ? null : /^\s*@([A-Za-z]+)(?![A-Za-z/])\s?(.*)$/.exec(line);
      if (tag) parts.push({ name: tag[1]!.toLowerCase(), lines: [tag[2]!] });
      else parts.at(-1)!.lines.push(line);
    }
  }
  const [first, ...tags] = parts;
  // Some write everything in tags.
  const described = [
    first!,
    ...['description', 'summary'].flatMap((tag) => tags.find(({ name }) => name === tag) ?? []),
  ];
  const descriptions = described.map(({ lines }) => toProse(lines.join('\n')));
  return {
    description: descriptions.find((text) => text !== '') ?? '',
    tags: tags.map(({ name, lines }) => ({ name, text: withoutLinks(lines.join('\n')).trim() })),
  };
}

/** Fences that do not pair up make nothing code: a tag must not be lost in a block that is never closed. */
function codeLines(lines: readonly string[]): ReadonlySet<number> {
  const code = new Set<number>();
  let isCode = false;
  for (const [i, line] of lines.entries()) {
    const fence = /^\s*(?:@\w+\s+)?```+([^`]*)$/.exec(line);
    if (fence && isCode && fence[1]!.trim() !== '') return new Set();
    if (fence) isCode = !isCode;
    else if (isCode) code.add(i);
  }
  return isCode ? new Set() : code;
}

/** Tags that limit who may call count within a line, too: `Only for tests. @internal`. Not in `code`. */
function beforeLimits(line: string): readonly string[] {
  const prose = line.replaceAll(/`[^`]*`/g, (quoted) => ' '.repeat(quoted.length));
  const starts = [...prose.matchAll(/(?<=\s)@(?:internal|private|hidden|scopes?)(?![\w/-])/gi)].map(
    ({ index }) => index,
  );
  return [0, ...starts].map((start, i) => line.slice(start, starts[i]));
}

/** `{@link Order}` and `{@link Order | orders}` are for other readers. */
function withoutLinks(text: string): string {
  return text.replaceAll(
    /\{@link(?:code|plain)?\s+([^{}|\s]+)\s*\|?\s*([^{}]*)\}/g,
    (_, target: string, label: string) => (label.trim() === '' ? target : label.trim()),
  );
}

/** Joins the lines of a paragraph, as Markdown does. Lists, tables and code keep their lines. */
export function toProse(text: string): string {
  const trimmed = withoutLinks(text).trim();
  if (trimmed.includes('```')) return trimmed;
  return trimmed.replaceAll(/[ \t]*\n(?![ \t]*(?:\n|[-*|>#]|\d+\.))(?<!\n[ \t]*\n)[ \t]*/g, ' ');
}

/** `{type} rest` of a tag. */
export function splitType(text: string): { readonly type: string | undefined; readonly rest: string } {
  if (!text.startsWith('{')) return { type: undefined, rest: text };
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0)
      return { type: text.slice(1, at).trim(), rest: text.slice(at + 1).trim() };
  }
  return { type: undefined, rest: text };
}
