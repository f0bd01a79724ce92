import { describe, expect, it } from 'vitest';
import { problemsOf } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const problemsOfOrigins = (...origins: unknown[]) => problemsOf({ cors: { origins } });

describe('origins that can be allowed', () => {
  const hosts = ['https://app.example', 'https://xn--bcher-kva.example', 'http://localhost:5173', 'http://[::1]:3000'];
  const wild = ['*', 'https://*.app.example', 'https://*.app.example:8443', 'http://*.localhost:5173'];
  const extension = 'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb';
  const apps = ['http://127.0.0.1:8080', 'tauri://localhost', 'capacitor://localhost', extension];
  it.each([...hosts, ...wild, ...apps])(proves('http.cors', '%s'), (origin) => {
    expect(problemsOf({ cors: { origins: origin } })).toEqual([]);
    expect(problemsOfOrigins(origin)).toEqual([]);
  });

  const misspelt: readonly (readonly [given: string, right: string])[] = [
    ['app.example', 'https://app.example'],
    ['app.example:8443', 'https://app.example:8443'],
    ['//app.example', 'https://app.example'],
    ['localhost', 'http://localhost'],
    ['localhost:5173', 'http://localhost:5173'],
    ['one.localhost:5173', 'http://one.localhost:5173'],
    ['127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['[::1]:5173', 'http://[::1]:5173'],
    ['*.app.example', 'https://*.app.example'],
    ['https://app.example/', 'https://app.example'],
    ['https://app.example/page?x=1#y', 'https://app.example'],
    ['https://user:secret@app.example', 'https://app.example'],
    ['HTTPS://App.Example', 'https://app.example'],
    ['https://app.example:443', 'https://app.example'],
    ['http://app.example:80', 'http://app.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['wss://app.example', 'https://app.example'],
    ['ws://localhost:5173', 'http://localhost:5173'],
    ['tauri://localhost/', 'tauri://localhost'],
  ];
  it.each(misspelt)(proves('http.cors-mistakes', '%s is named with the right spelling, %s'), (given, spelling) => {
    expect(problemsOfOrigins(given)).toEqual([
      `cors.origins: ${JSON.stringify(given)} is not an origin that browsers send; write "${spelling}"`,
    ]);
    expect(problemsOfOrigins(spelling)).toEqual([]);
  });

  const WRITE = 'write a scheme and a host, such as "https://app.example" or "http://localhost:5173"';
  const NO_URLS = ['', ' ', 'https://', 'https://app example', 'http://localhost:*'];
  const NO_ORIGINS = [...NO_URLS, 'file:///index.html', 'https://a.b, https://c.d'];
  const refused: readonly (readonly [given: unknown, problem: string])[] = [
    ['null', '"null" is the origin of sandboxed pages of every site; write "*" if all may call'],
    [
      'https://*.com',
      '"https://*.com" would allow every site in .com; name a domain of your own, as in "https://*.app.com"',
    ],
    ...['https://*', 'https://app.*.example', 'https://app*.example.com', 'https://*.*.example.com'].map(
      (given) =>
        [given, `"${given}": only "*" alone, or subdomains as in "https://*.app.example", can be allowed`] as const,
    ),
    ...NO_ORIGINS.map((given) => [given, `"${given}" is not an origin; ${WRITE}`] as const),
    [/example/, 'expected a string, not object'],
    [1n, 'expected a string, not bigint'],
    [null, 'expected a string, not object'],
  ];
  it.each(refused)(proves('http.cors-mistakes', '%s is refused'), (given, problem) => {
    expect(problemsOfOrigins(given)).toEqual([`cors.origins: ${problem}`]);
  });
});

describe('the other fields', () => {
  const NO_HEADERS = 'cors.headers must be a list of header names, such as ["X-Tenant"]';
  const SECONDS = 'cors.maxAge must be a whole number of seconds, 0 or more';
  const WILD = 'cors.credentials needs a list of origins: with "*", any page could act as the user';
  const cases: readonly (readonly [title: string, cors: unknown, problems: readonly string[]])[] = [
    ['nothing', {}, []],
    ['all of them', { origins: ['https://a.example'], headers: ['X-Tenant'], credentials: true, maxAge: 0 }, []],
    ['fields that are undefined', { origins: undefined, headers: undefined, maxAge: undefined }, []],
    ['no object', true, ['cors must be an object, such as { origins: ["https://app.example"] }']],
    ['a list', ['https://a.example'], ['cors must be an object, such as { origins: ["https://app.example"] }']],
    ['a name of other frameworks', { origin: '*' }, ['cors: unknown option "origin" (did you mean "origins"?)']],
    ['another one', { methods: ['GET'] }, ['cors: unknown option "methods"']],
    ['everybody, with credentials', { origins: '*', credentials: true }, [WILD]],
    ['everybody in a list, with credentials', { origins: ['https://a.example', '*'], credentials: true }, [WILD]],
    ['credentials of a wrong type', { credentials: 'include' }, ['cors.credentials must be true or false']],
    ['one header', { headers: 'X-Tenant' }, [NO_HEADERS]],
    ['all headers', { headers: ['*'] }, [NO_HEADERS]],
    ['several headers in one', { headers: ['X-One, X-Two'] }, [NO_HEADERS]],
    ['a header with a line break', { headers: ['X-One\r\nX-Two'] }, [NO_HEADERS]],
    ['a header with a line break at the end', { headers: ['X-One\n'] }, [NO_HEADERS]],
    ['a negative time', { maxAge: -1 }, [SECONDS]],
    ['half a second', { maxAge: 0.5 }, [SECONDS]],
    ['a time with a unit', { maxAge: '10m' }, [SECONDS]],
    ['several mistakes', { origins: ['null'], maxAge: Infinity, headers: {} }, ['n', NO_HEADERS, SECONDS]],
  ];
  it.each(cases)(proves('http.cors-mistakes', '%s'), (_title, cors, problems) => {
    const found = problemsOf({ cors });
    expect(found).toHaveLength(problems.length);
    for (const [i, problem] of problems.entries()) if (problem.length > 1) expect(found[i]).toBe(problem);
  });
});
