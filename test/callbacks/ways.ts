/** The ways in which user code can misbehave. */
export interface Way {
  readonly title: string;
  readonly kind: 'throws' | 'rejects' | 'hangs' | 'nonsense';
  /** Whether to test it on every wire; the others are too similar. */
  readonly isTypical: boolean;
  readonly call: () => unknown;
}

/** A caller must not see the sentence if errors are masked, and never the path. */
export const SECRET = 'hunter2';
export const PATH = '/srv/app/secret';

const sentence = `password ${SECRET} in ${PATH}/db.ts`;

const thrown: Readonly<Record<string, () => unknown>> = {
  'an Error': () => new Error(sentence, { cause: new Error(`because of ${SECRET}`) }),
  'a string': () => sentence,
  null: () => null,
  'a Proxy': unreadable,
  'an Error whose message throws': () =>
    Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error(sentence);
      },
    }),
};

const nonsense: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  'a number': () => 5,
  'a symbol': () => Symbol('x'),
  'a Proxy': unreadable,
  'a function': () => () => {},
};

export const ways: readonly Way[] = [
  ...Object.entries(thrown).flatMap(([what, make]): Way[] => [
    {
      title: `throws ${what}`,
      kind: 'throws',
      isTypical: what === 'an Error',
      call: () => {
        throw make();
      },
    },
    {
      title: `rejects with ${what}`,
      kind: 'rejects',
      isTypical: what === 'an Error',
      call: () => Promise.reject(make() as Error),
    },
  ]),
  { title: 'never settles', kind: 'hangs', isTypical: true, call: () => new Promise(() => {}) },
  ...Object.entries(nonsense).map(([what, make]): Way => ({
    title: `returns ${what}`,
    kind: 'nonsense',
    isTypical: false,
    call: make,
  })),
];

function unreadable(): unknown {
  const trap = () => {
    throw new Error(sentence);
  };
  // Resolving a promise with it reads `then`.
  const get = (_target: object, name: string | symbol) => (name === 'then' ? undefined : trap());
  return new Proxy({}, { get, has: trap, getPrototypeOf: trap, ownKeys: trap });
}
