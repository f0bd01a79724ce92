type Format = (text: string) => boolean;

const by =
  (pattern: RegExp, longest = Infinity): Format =>
  (text) =>
    text.length <= longest && pattern.test(text);

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (DATE.exec(text) ?? []).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
}

function isTime(text: string): boolean {
  const found = TIME.exec(text);
  if (!found) return false;
  const [hour, minute, second] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const [offHour, offMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offHour > 23 || offMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is only valid at 23:59:60 UTC.
  const offset = (found[4] === '-' ? -1 : 1) * (offHour * 60 + offMinute);
  return (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

const isDateTime: Format = (text) => /^[\d-]{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

const DURATION =
  /^P(?=[\dT])(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/;

const isHostname: Format = (text) =>
  text.length <= 253 && text.split('.').every((label) => label.length <= 63 && LABEL.test(label));

// Two hyphens in positions 3 and 4 are reserved for internationalized names, which start with xn.
const LABEL = /^(?!(?!xn)..--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

const isIpv4 = by(/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/, 15);

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const tail = last.includes('.') && halves.at(-1) !== '';
  if (tail && !isIpv4(last)) return false;
  const hex = tail ? groups.slice(0, -1) : groups;
  const count = hex.length + (tail ? 2 : 0);
  return hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count < 8 : count === 8);
}

const EMAIL_NAME = /^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\]|\\.)*")$/i;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > 320) return false;
  const host = text.slice(at + 1);
  const address = /^\[(?:(IPv6:)?(.*))\]$/.exec(host);
  if (address) return EMAIL_NAME.test(text.slice(0, at)) && (address[1] ? isIpv6 : isIpv4)(address[2]!);
  return EMAIL_NAME.test(text.slice(0, at)) && isHostname(host);
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
// Characters that must not occur. Matching a whole long string would overflow the regular expression engine's stack.
const NOT_ASCII = /[^a-z0-9._~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9a-f]{2})/i;
const NOT_IRI = /[\s"<>\\^`{|}\p{Cc}]|%(?![0-9a-f]{2})/iu;

/** Checks the components of RFC 3986 (for IRIs, of RFC 3987: with non-ASCII characters). */
function isReference(text: string, wrong: RegExp): boolean {
  if (wrong.test(text)) return false;
  const hash = text.indexOf('#');
  if (hash !== -1 && text.includes('#', hash + 1)) return false;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length, hash === -1 ? undefined : hash);
  const fragment = hash === -1 ? '' : text.slice(hash);
  if (!rest.startsWith('//')) {
    // Without a scheme, a colon in the first segment would read as one.
    const first = rest.slice(0, rest.search(/[/?]|$/));
    return !/[[\]]/.test(rest + fragment) && (scheme !== '' || !first.includes(':'));
  }
  const authority = rest.slice(2, 2 + rest.slice(2).search(/[/?]|$/));
  return isAuthority(authority) && !/[[\]]/.test(rest.slice(2 + authority.length) + fragment);
}

function isAuthority(authority: string): boolean {
  const host = authority.slice(authority.indexOf('@') + 1);
  if (authority.split('@').length > 2 || /[[\]]/.test(authority.slice(0, authority.length - host.length))) return false;
  const literal = /^\[([^[\]]*)\](?::\d*)?$/.exec(host);
  if (literal) return /^v[0-9a-f]+\..+$/i.test(literal[1]!) || isIpv6(literal[1]!);
  return /^[^[\]:]*(?::\d*)?$/.test(host);
}

// RFC 6570: `{+path:3,query*}`.
const EXPRESSION =
  /\{[+#./;?&=,!@|]?(?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*(?::[1-9]\d{0,3}|\*)?)*\}/gi;
const NOT_TEMPLATE = /[\s"<>\\^`{|}\p{Cc}]|%(?![0-9a-f]{2})/iu;

const isPointer: Format = (text) => text === '' || (text.startsWith('/') && !/~(?![01])/.test(text));

/** An escape; of a property such as `\p{L}`, as a whole. */
const ESCAPE = /\\(?:[pP]\{[^{}]*\}|[^])/g;

function isRegExp(text: string): boolean {
  const properties = new Set<string>();
  // V8 collects the characters of a property for each use of it: a megabyte of them would take seconds. `\d` may be
  // wherever a property may be.
  const once = text.replaceAll(ESCAPE, (escape) =>
    escape.length === 2 || !properties.has(escape) ? (properties.add(escape), escape) : String.raw`\d`,
  );
  try {
    return Boolean(new RegExp(once, 'u'));
  } catch {
    return false; // there is no other way to check
  }
}

// At most 40 digits: int64 has 19, and BigInt is slow on long strings.
const isInt64: Format = (text) => /^-?\d{1,40}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

/** The formats that are checked; others are annotations. Each takes time linear in the length of the string. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', by(DURATION)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', (text) => SCHEME.test(text) && isReference(text, NOT_ASCII)],
  ['uri-reference', (text) => isReference(text, NOT_ASCII)],
  ['iri', (text) => SCHEME.test(text) && isReference(text, NOT_IRI)],
  ['iri-reference', (text) => isReference(text, NOT_IRI)],
  ['uri-template', (text) => !NOT_TEMPLATE.test(text.replaceAll(EXPRESSION, ''))],
  ['uuid', by(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)],
  ['json-pointer', isPointer],
  ['relative-json-pointer', (text) => /^(?:0|[1-9]\d*)(?:#$|$|\/)/.test(text) && isPointer(text.replace(/^\d+#?/, ''))],
  ['regex', isRegExp],
  ['int64', isInt64],
]);
