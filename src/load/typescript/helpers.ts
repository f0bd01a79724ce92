/** Functions that compiled code imports, as text: a package more would be needed otherwise. */
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
  // A block with using or await using: u and a add a resource, e is what the block threw, d disposes of the resources.
  usingCtx: `const NOTHING = {};
  const suppress = (error, suppressed) => {
    if (suppressed === NOTHING) return error;
    if (typeof SuppressedError === 'function') return new SuppressedError(error, suppressed);
    return Object.assign(new Error('An error was suppressed during disposal'), { name: 'SuppressedError', error, suppressed });
  };
  export default function usingCtx() {
    const resources = [];
    let isAsync = false;
    const add = (value, isAwaited) => {
      isAsync ||= isAwaited;
      if (value === null || value === undefined) {
        if (isAwaited) resources.push([() => {}, isAwaited]);
        return value;
      }
      if (Object(value) !== value) throw new TypeError('using declarations need an object, a function, null or undefined');
      const asynchronous = isAwaited ? value[Symbol.asyncDispose] : undefined;
      const dispose = asynchronous ?? value[Symbol.dispose];
      if (typeof dispose !== 'function') throw new TypeError('The object of a using declaration is not disposable');
      resources.push([asynchronous ? () => dispose.call(value) : () => void dispose.call(value), isAwaited]);
      return value;
    };
    return {
      e: NOTHING,
      u: (value) => add(value, false),
      a: (value) => add(value, true),
      d() {
        let thrown = this.e;
        const end = () => {
          if (thrown !== NOTHING) throw thrown;
        };
        const fail = (error) => {
          thrown = suppress(error, thrown);
        };
        const endAsync = async () => {
          for (const [dispose, isAwaited] of resources.reverse()) {
            try {
              const done = dispose();
              if (isAwaited) await done;
            } catch (error) {
              fail(error);
            }
          }
          end();
        };
        if (isAsync) return endAsync();
        for (const [dispose] of resources.reverse()) {
          try {
            dispose();
          } catch (error) {
            fail(error);
          }
        }
        end();
      },
    };
  }`,
};

const PACKAGE = '@oxc-project/runtime/helpers/';

/** The address of a helper; undefined for all other specifiers. */
export function helperUrl(specifier: string): string | undefined {
  const code = specifier.startsWith(PACKAGE) ? HELPERS[specifier.slice(PACKAGE.length)] : undefined;
  return code && `data:text/javascript,${encodeURIComponent(code)}`;
}
