import type { JSX } from 'preact';
import { signal } from '@preact/signals';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEY = 'everywire-theme';
const theme = signal<Theme>(stored());
apply(theme.peek());

/** Switches between the colours of the system, light and dark. */
export function ThemeButton(): JSX.Element {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
  return (
    <button
      type="button"
      class="icon"
      aria-label={`Colours: ${theme.value}. Switch to ${next}`}
      title={`Colours: ${theme.value}`}
      onClick={() => {
        theme.value = next;
        apply(next);
      }}
    >
      {{ system: '◐', light: '☀', dark: '☾' }[theme.value]}
    </button>
  );
}

function apply(chosen: Theme): void {
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Some browsers forbid it; then it is forgotten.
  }
}

function stored(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}
