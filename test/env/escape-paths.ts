/** Encodings of a dot, a slash and `..` that have fooled path checks before. */
const DOTS = ['\u2024', '\uff0e', '\u3002', '\\x2e', ...'. %2e %2E %252e %c0%2e %c0%ae %u002e &#46; 0x2e'.split(' ')];
const BACKSLASHES = ['\\', '\\/', '/\\', '\\x2f'];
const SLASHES = [
  ...'/ // %2f %2F %5c %252f %255c %c0%af %c1%9c %u2215 /./ /.// &#47;'.split(' '),
  ...BACKSLASHES,
  ...'\u2215\u2044\uff0f\u29f8\ufe68\uff3c',
];
const CONTROLS = ['', ' ', '\0', '\0.txt', '\n', '\r\n', '\u202e', '\ud800'];
const ENDS = [...CONTROLS, ...'%00 %00.txt / /. # ? ;.txt'.split(' ')];
const WINDOWS = ['C:', 'C:/', 'C:\\', '\\\\?\\', '\\\\host\\share\\'];
const PREFIXES = [
  '',
  '\u2215',
  ...WINDOWS,
  ...'/ ./ inside/ /inside/ file:// file:/// ~ ~root/ // /// /./ %2f'.split(' '),
];

/** Paths that some parsers resolve to `target`, from a folder at the given depth. */
function* pathsTo(target: string): Iterable<string> {
  const up = (dot: string, slash: string, times: number) => `${dot}${dot}${slash}`.repeat(times);
  for (const dot of DOTS) {
    for (const slash of SLASHES) {
      for (const times of [1, 3, 12]) yield up(dot, slash, times) + target;
    }
  }
  for (const prefix of PREFIXES) {
    for (const end of ENDS) {
      yield prefix + target + end;
      yield `${prefix}../../../../${target}${end}`;
      yield `${prefix}inside/../../${target}${end}`;
    }
  }
  for (const odd of ['....//', '..;/', '.../', '....\\\\', '..%00/', '..\0/', './../', '..//', '/..', '.%2e/', '%2e./'])
    for (const times of [1, 4, 9]) yield odd.repeat(times) + target;
}

/** Collected and generated paths. None of them may lead out of the mount. */
export function escapePaths(secret: string, folder: string): readonly string[] {
  const targets = [
    secret.slice(1),
    secret.slice(1).split('/').at(-1)!,
    'etc/passwd',
    `${folder.slice(1)}-sibling/secret`,
  ];
  return [...new Set(targets.flatMap((target) => [...pathsTo(target)]))];
}
