import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { isTokenRefused, load } from './catalogue.ts';
import { linkTo, route } from './route.ts';
import type { View } from './route.ts';
import { isToken, token } from './server.ts';
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
const tokenProblem = signal('');

/** Without an app if the server did not say what it is: perhaps because of the token. */
export function Header({ app }: { readonly app?: AppFacts }): JSX.Element {
  const { view } = route.value;
  const shown = VIEWS.filter(
    ([name]) => app && (name !== 'tasks' || app.hasTasks) && (name !== 'live' || app.mayWatch),
  );
  return (
    <header class="top">
      <a class="brand" href={linkTo('functions')}>
        <img src="icon.svg" alt="" width="24" height="24" />
        <span>{app?.name ?? 'everywire'}</span>
        <span class="muted version">{app?.version}</span>
      </a>
      <nav aria-label="Views">
        {shown.map(([name, label]) => (
          <a key={name} href={linkTo(name)} aria-current={view === name ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="tools">
        {app?.hasAccess !== false && <Token />}
        <ThemeButton />
      </div>
    </header>
  );
}

/** Who calls. The token is kept in memory only. */
function Token(): JSX.Element {
  const isSet = token.value !== '';
  if (!isTokenOpen.value && !isTokenRefused.value)
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
        const entered = (new FormData(event.currentTarget).get('token') as string).trim();
        isTokenOpen.value = !isToken(entered);
        tokenProblem.value = isToken(entered) ? '' : 'No token has spaces, or characters outside of ASCII';
        if (!isToken(entered)) return;
        token.value = entered;
        void load();
      }}
    >
      <input
        name="token"
        type="password"
        aria-label="Token or API key"
        placeholder="Token or API key"
        autocomplete="off"
        aria-invalid={tokenProblem.value !== '' || undefined}
        aria-describedby={tokenProblem.value ? 'token-problem' : undefined}
      />
      <button type="submit">Use</button>
      {tokenProblem.value && (
        <p id="token-problem" class="problem" role="alert">
          {tokenProblem.value}
        </p>
      )}
    </form>
  );
}
