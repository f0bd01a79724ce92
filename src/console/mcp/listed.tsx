import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A list that has arrived, the error that came instead, or nothing yet. */
export type Loaded<T> = readonly T[] | Error | undefined;

interface Props<T> {
  readonly heading: 'Prompts' | 'Resources';
  readonly load: () => Promise<readonly T[]>;
  readonly card: (one: T) => JSX.Element;
}

/** What the app has of something, as cards. */
export function Listed<T>({ heading, load, card }: Props<T>): JSX.Element {
  const [found, setFound] = useState<Loaded<T>>(undefined);
  const what = heading.toLowerCase();
  useEffect(() => {
    load().then(setFound, setFound);
  }, []);
  return (
    <section class={what}>
      <h1>{heading}</h1>
      {!found && (
        <p class="empty" role="status">
          Loading…
        </p>
      )}
      {found && 'length' in found && found.length === 0 && <p class="empty">This app has no {what}.</p>}
      <ul class="cards">
        <Each of={found} show={card} />
      </ul>
    </section>
  );
}

/** Everything that has arrived, or why it has not. */
export function Each<T>({ of, show }: { of: Loaded<T>; show: (one: T, index: number) => JSX.Element }): JSX.Element {
  if (of instanceof Error)
    return (
      <p class="problem" role="alert">
        {of.message}
      </p>
    );
  return <>{of?.map(show)}</>;
}
