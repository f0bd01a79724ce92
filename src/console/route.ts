import { computed, signal } from '@preact/signals';

// The state of the page is in the part of the address that is never sent to a server: `#/functions/Add?input={"x":1}`.

const address = signal(location.hash);
addEventListener('hashchange', () => {
  cancelWriting();
  address.value = location.hash;
});

export type View = 'functions' | 'live' | 'tasks' | 'resources' | 'prompts' | 'connect';

export interface Route {
  readonly view: View;
  /** What is open: a function, for example. */
  readonly name: string;
  readonly query: URLSearchParams;
}

export const route = computed(() => routeOf(address.value));

/** Where the address leads: it changes a moment before the page does. */
export const routeNow = (): Route => routeOf(location.hash);

function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view = '', ...rest] = path.split('/');
  const known: readonly string[] = ['live', 'tasks', 'resources', 'prompts', 'connect'];
  return {
    view: known.includes(view) ? (view as View) : 'functions',
    name: decode(rest.join('/')),
    query: new URLSearchParams(query),
  };
}

export function linkTo(view: View, name = '', query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${view}${name && `/${encodeURIComponent(name)}`}${search && `?${search}`}`;
}

export function go(link: string): void {
  location.hash = link;
}

/** Longer arguments than this stay out of the address: browsers become slow, and nobody shares such links. */
const LONGEST = 8000;

/** Changes the query of the address without a new entry in the history. */
export function remember(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, name, query } = route.peek();
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value.length > LONGEST) next.delete(key);
    else next.set(key, value);
  }
  const link = linkTo(view, name, Object.fromEntries(next));
  address.value = link;
  write(link);
}

/** Milliseconds between two changes of the address: Safari refuses more than 100 in 30 seconds, and nobody reads every letter. */
const PACE = 400;
let timer: ReturnType<typeof setTimeout> | undefined;
let written = -Infinity;

function write(link: string): void {
  cancelWriting();
  if (link === location.hash) return;
  const wait = written + PACE - performance.now();
  if (wait > 0) {
    const before = location.hash;
    // Somebody may have gone elsewhere since.
    timer = setTimeout(() => before === location.hash && write(link), wait);
    return;
  }
  written = performance.now();
  try {
    history.replaceState(null, '', link);
  } catch {
    // Too often, after all: the page works without it.
  }
}

function cancelWriting(): void {
  clearTimeout(timer);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
