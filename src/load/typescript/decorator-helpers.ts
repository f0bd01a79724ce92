/**
 * What code with decorators imports, which would be a package more. As text, since it is imported by compiled code in the cache
 * folder.
 */
const HELPERS: Readonly<Record<string, string>> = {
  // For a class there is no key; for a field there is a key and no descriptor.
  decorate: `export default function decorate(decorators, target, key, given) {
    if (key === undefined) return decorators.reduceRight((decorated, one) => one(decorated) ?? decorated, target);
    const own = given === null ? Object.getOwnPropertyDescriptor(target, key) : given;
    const found = decorators.reduceRight((descriptor, one) => one(target, key, descriptor) ?? descriptor, own);
    if (found) Object.defineProperty(target, key, found);
    return found;
  }`,
  decorateParam: `export default (index, decorator) => (target, key) => decorator(target, key, index);`,
};

const PACKAGE = '@oxc-project/runtime/helpers/';

/** Undefined for everything else. */
export function helperUrl(specifier: string): string | undefined {
  const code = specifier.startsWith(PACKAGE) ? HELPERS[specifier.slice(PACKAGE.length)] : undefined;
  return code && `data:text/javascript,${encodeURIComponent(code)}`;
}
