import type { Principal } from '../core/principal.ts';
import type { App } from './app.ts';

/** The app as a principal sees it: without the functions that are hidden from it. */
export function visibleTo(app: App, principal: Principal): App {
  const { access } = app;
  if (!access?.options.hide) return app;
  return {
    ...app,
    functions: app.functions.filter((fn) => access.shows(principal, fn)),
    find(name) {
      const fn = app.find(name);
      return fn && access.shows(principal, fn) ? fn : undefined;
    },
  };
}
