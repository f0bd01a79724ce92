import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { detailsOf } from './catalogue.ts';
import { Marks } from './function-list.tsx';
import { FunctionDocs } from './function-docs.tsx';
import { CallPanel } from './call-panel.tsx';
import { Boundary } from './form/boundary.tsx';
import { linkTo } from './route.ts';
import type { Catalogue, Details } from './types.ts';

/** One function: what it is, its form, its answer, and every wire. */
export function FunctionPage({ name, found }: { readonly name: string; readonly found: Catalogue }): JSX.Element {
  const [fn, setFn] = useState<Details | Error | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    detailsOf(name).then(
      (details) => !isGone && setFn(details),
      (error: Error) => !isGone && setFn(error),
    );
    return () => void (isGone = true);
  }, [name, found]);
  if (!fn)
    return (
      <p class="empty" role="status">
        Loading…
      </p>
    );
  if (fn instanceof Error)
    return (
      <section class="welcome">
        <h1>{name}</h1>
        <p class="problem" role="alert">
          {fn.message}
        </p>
      </section>
    );
  return (
    <article class="function">
      <a class="back" href={linkTo('functions')}>
        ‹ All functions
      </a>
      <header>
        <h1>
          {fn.name} <Marks fn={fn} />
        </h1>
        {fn.title !== fn.name && <p class="title">{fn.title}</p>}
        <p class="lead">{fn.description}</p>
      </header>
      <Boundary says="This function cannot be called here.">
        <CallPanel name={name} fn={fn} found={found} />
      </Boundary>
      <FunctionDocs fn={fn} />
    </article>
  );
}
