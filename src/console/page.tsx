import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { catalogue, isTokenRefused, load } from './catalogue.ts';
import { Connect } from './connect.tsx';
import { FunctionList } from './function-list.tsx';
import { FunctionPage } from './function-page.tsx';
import { Header } from './header.tsx';
import { Live } from './live/live.tsx';
import { watch } from './live/records.ts';
import { Prompts } from './mcp/prompts.tsx';
import { Resources } from './mcp/resources.tsx';
import { linkTo, route } from './route.ts';
import { token } from './server.ts';
import { Tasks } from './tasks.tsx';
import type { Catalogue } from './types.ts';

/** Everything: the header, the list of functions, and what is open. */
export function Page(): JSX.Element {
  const found = catalogue.value;
  useEffect(() => {
    document.title = found && !(found instanceof Error) ? `${found.app.name} · everywire` : 'everywire console';
  }, [found]);
  const mayWatch = found !== undefined && !(found instanceof Error) && found.app.mayWatch;
  useEffect(() => {
    if (!mayWatch) return undefined;
    const controller = new AbortController();
    // While somebody edits the app (`everywire dev`), its functions change.
    void watch(controller.signal, () => void load({ isQuiet: true }));
    return () => controller.abort();
  }, [mayWatch]);
  if (!found)
    return (
      <p class="empty" role="status">
        Loading…
      </p>
    );
  if (found instanceof Error)
    return (
      <div class="page">
        <Header />
        <Unavailable reason={found.message} />
      </div>
    );
  const { view, name } = route.value;
  return (
    <div class={`page ${view === 'functions' && name ? 'is-open' : ''}`}>
      <Header app={found.app} />
      {view === 'functions' ? <Functions found={found} name={name} /> : <Other view={view} found={found} />}
    </div>
  );
}

/** The field for the token stays in the header, so that another one can be tried. */
function Unavailable({ reason }: { readonly reason: string }): JSX.Element {
  return (
    <main class="empty">
      <h1>{isTokenRefused.value ? 'The token was not accepted' : 'The server does not answer'}</h1>
      <p class="problem" role="alert">
        {reason}
      </p>
      <button type="button" onClick={() => void load()}>
        Try again
      </button>{' '}
      {token.value !== '' && (
        <button
          type="button"
          onClick={() => {
            token.value = '';
            void load();
          }}
        >
          Go on without a token
        </button>
      )}
    </main>
  );
}

function Functions({ found, name }: { readonly found: Catalogue; readonly name: string }): JSX.Element {
  return (
    <div class="columns">
      <FunctionList functions={found.functions} tags={found.app.tags} open={name} />
      <main>{name ? <FunctionPage key={name} name={name} found={found} /> : <Welcome found={found} />}</main>
    </div>
  );
}

function Other({ view, found }: { readonly view: string; readonly found: Catalogue }): JSX.Element {
  return (
    <main class="wide">
      {view === 'live' && <Live />}
      {view === 'tasks' && <Tasks />}
      {view === 'resources' && <Resources />}
      {view === 'prompts' && <Prompts />}
      {view === 'connect' && <Connect app={found.app} />}
    </main>
  );
}

/** Functions that are offered on the first page. */
const FIRST = 12;

function Welcome({ found: { app, functions } }: { readonly found: Catalogue }): JSX.Element {
  return (
    <section class="welcome">
      <h1>{app.name}</h1>
      {app.description && <p class="lead">{app.description}</p>}
      <p>
        {functions.length === 1 ? 'One function' : `${functions.length} functions`}, each written once and served on
        every wire: HTTP with OpenAPI, MCP, CGI and the command line. Choose one, fill in the form, and see that every
        wire answers with the same bytes.
      </p>
      <ul class="choices">
        {functions.slice(0, FIRST).map(({ name, description }) => (
          <li key={name}>
            <a href={linkTo('functions', name)}>
              <strong>{name}</strong>
              <span>{description}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
