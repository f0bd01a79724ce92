import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { linkTo, go } from './route.ts';
import { rowsOf } from './list-rows.ts';
import type { Row } from './list-rows.ts';
import type { Summary } from './types.ts';

/** All rows are equally high, so that only those in sight need to exist: there may be ten thousand. */
const HEIGHT = 44;
const MARGIN = 8;

interface Props {
  readonly functions: readonly Summary[];
  readonly tags: Readonly<Record<string, string>>;
  readonly open: string;
}

export function FunctionList({ functions, tags, open }: Props): JSX.Element {
  const [search, setSearch] = useState('');
  const [top, setTop] = useState(0);
  const [size, setSize] = useState(900);
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(functions, search), [functions, search]);
  const found = rows.filter((row) => row.fn !== undefined);
  const first = Math.max(0, Math.floor(top / HEIGHT) - MARGIN);
  const shown = rows.slice(first, first + Math.ceil(size / HEIGHT) + 2 * MARGIN);

  const move = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && found[0]) go(linkTo('functions', found[0].fn!.name));
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    box.current?.querySelector('a')?.focus();
  };
  return (
    <aside class="side" aria-label="Functions">
      <input
        class="search"
        type="search"
        placeholder="Search functions"
        aria-label="Search functions"
        value={search}
        onInput={(event) => {
          setSearch(event.currentTarget.value);
          setTop(0);
          if (box.current) box.current.scrollTop = 0;
        }}
        onKeyDown={move}
      />
      <div
        class="scroll"
        ref={(element) => {
          box.current = element;
          if (element && element.clientHeight > 0 && element.clientHeight !== size) setSize(element.clientHeight);
        }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={moveFocus}
      >
        <ul style={{ height: `${rows.length * HEIGHT}px` }} aria-label={`${found.length} functions`}>
          {shown.map((row, i) => (
            <li key={row.key} style={{ top: `${(first + i) * HEIGHT}px` }}>
              <RowOf row={row} tags={tags} isOpen={row.fn?.name === open} />
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="empty">{search ? `Nothing matches “${search}”` : 'No functions'}</p>}
      </div>
    </aside>
  );
}

function RowOf({
  row: { fn, heading },
  tags,
  isOpen,
}: {
  readonly row: Row;
  readonly tags: Props['tags'];
  readonly isOpen: boolean;
}): JSX.Element {
  if (!fn)
    return (
      <h2 class="group" title={tags[heading] ?? heading}>
        {heading}
      </h2>
    );
  return (
    <a href={linkTo('functions', fn.name)} aria-current={isOpen ? 'page' : undefined} title={fn.description}>
      <span class="name">{fn.name.startsWith(`${heading}.`) ? fn.name.slice(heading.length + 1) : fn.name}</span>
      <Marks fn={fn} />
    </a>
  );
}

/** What a function promises, in a word each. */
export function Marks({ fn: { hints = {}, task, deprecated } }: { readonly fn: Summary }): JSX.Element {
  return (
    <>
      {deprecated && <span class="badge warn">deprecated</span>}
      {hints.readOnly && (
        <span class="badge" title="Changes nothing">
          reads
        </span>
      )}
      {hints.destructive && (
        <span class="badge danger" title="May delete or overwrite">
          destructive
        </span>
      )}
      {task && (
        <span class="badge" title="May run as a task, which outlives its request">
          task
        </span>
      )}
    </>
  );
}

/** Arrow keys go from one function to the next. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...(event.currentTarget as HTMLElement).querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
