import { builtinModules } from 'node:module';
import { devDependencies } from './dev-dependencies.ts';

const PART = '[a-z0-9][a-z0-9._-]*';
const NAME = new RegExp(`^(?:@${PART}/)?${PART}$`);
const LONGEST = 214;

/** Names that npm rejects, and packages that the project installs: npm refuses to install a package into itself. */
const TAKEN: ReadonlySet<string> = new Set([
  ...builtinModules,
  ...Object.keys(devDependencies),
  'everywire',
  'favicon.ico',
  'node_modules',
]);

/** Whether npm accepts this as the name of a new package, and as one that depends on everywire. */
export function isPackageName(text: string): boolean {
  return text.length <= LONGEST && NAME.test(text) && !TAKEN.has(text);
}

/** A valid name that resembles a text: the name of a folder, or what somebody typed. */
export function suggestName(text: string): string {
  const [, scope, rest = ''] = /^@([^/]*)\/(.*)$/s.exec(text) ?? [undefined, undefined, text];
  const base = plain(rest) || 'my-functions';
  const owner = scope === undefined ? '' : plain(scope);
  const name = owner === '' ? base : `@${owner}/${base}`;
  if (isPackageName(name)) return name;
  return TAKEN.has(name) ? `my-${plain(name.replaceAll(/[._]/g, '-'))}` : 'my-functions';
}

/** Letters lose their accents; everything else that is not allowed becomes a hyphen. */
function plain(text: string): string {
  return text
    .slice(0, LONGEST)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
}
