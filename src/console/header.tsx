import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { load } from './catalogue.ts';
import { linkTo, route } from './route.ts';
import type { View } from './route.ts';
import { token } from './server.ts';
import { ThemeButton } from './theme.tsx';
import type { AppFacts } from './types.ts';

const VIEWS: readonly (readonly [View, string])[] = [
  ['functions', 'Functions'],
  ['live', 'Live'],
  ['tasks', 'Tasks'],
  ['resources', 'Resources'],
  ['prompts', 'Prompts'],
  ['connect', 'Connect'],
];

const isTokenOpen = signal(false);

export function Header({ app }: { readonly app: AppFacts }): JSX.Element {
  const { view } = route.value;
  const shown = VIEWS.filter(([name]) => (name !== 'tasks' || app.hasTasks) && (name !== 'live' || app.mayWatch));
  return (
    <header class="top">
      <a class="brand" href={linkTo('functions')}>
        <img src="icon.svg" alt="" width="24" height="24" />
        <span>{app.name}</span>
        <span class="muted version">{app.version}</span>
      </a>
      <nav aria-label="Views">
        {shown.map(([name, label]) => (
          <a key={name} href={linkTo(name)} aria-current={view === name ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="tools">
        {app.hasAccess && <Token />}
        <ThemeButton />
      </div>
    </header>
  );
}

/** Who calls. The token is kept in memory only. */
function Token(): JSX.Element {
  const isSet = token.value !== '';
  if (!isTokenOpen.value)
    return (
      <button type="button" onClick={() => (isTokenOpen.value = true)}>
        {isSet ? 'Token set' : 'Enter a token'}
      </button>
    );
  return (
    <form
      class="joined"
      onSubmit={(event) => {
        event.preventDefault();
        token.value = (new FormData(event.currentTarget).get('token') as string).trim();
        isTokenOpen.value = false;
        void load();
      }}
    >
      <input
        name="token"
        type="password"
        aria-label="Token or API key"
        placeholder="Token or API key"
        autocomplete="off"
      />
      <button type="submit">Use</button>
    </form>
  );
}
