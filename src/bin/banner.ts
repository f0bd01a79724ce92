import type { App } from '../app/app.ts';
import { commit, version } from '../version.ts';

export const everywireBanner = `everywire v${version} ${commit}`;

/** The first line of an app's help. */
export function banner(app: App): string {
  return `${app.name} v${app.version} (based on ${everywireBanner})`;
}
