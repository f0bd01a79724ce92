const TIME = { timestamp: '2026-01-01T00:00:00Z' };
const said = (text: string) => ({ content: [{ type: 'text', text }] });

export const right = { success: true, ...TIME, ...said('All is well'), data: { id: 1 } };

interface WrongAnswer {
  readonly path: string;
  readonly body: unknown;
  /** What is reported. */
  readonly rules: readonly string[];
  /** Whether `repair` can fix it; it replaces the others. */
  readonly isRepairable: boolean;
}

const of = (isRepairable: boolean, path: string, body: unknown, ...rules: readonly string[]): WrongAnswer => ({
  path,
  body,
  rules: rules.map((rule) => `envelope.${rule}`),
  isRepairable,
});

const ok = { success: true, ...TIME };
const error = { code: 'E', message: 'x' };

/** Responses that break the standard, each in its own way. Every framework sends all of them. */
export const wrongAnswers: readonly WrongAnswer[] = [
  of(true, '/missing-content', { ...ok, data: { id: 1 } }, 'content'),
  of(true, '/missing-timestamp', { success: true, ...said('x') }, 'timestamp'),
  of(true, '/missing-success', { ...TIME, ...said('x') }, 'success'),
  of(true, '/other-flag', { ok: true, data: { id: 1 } }, 'success', 'timestamp', 'content'),
  of(true, '/missing-type', { ...ok, content: [{ text: 'x' }] }, 'item-type'),
  of(true, '/empty-content', { ...ok, content: [] }, 'content-not-empty'),
  of(true, '/error-as-text', { ...ok, success: false, ...said('Error: no'), error: 'no' }, 'error-required'),
  of(false, '/error-on-success', { ...ok, ...said('x'), error }, 'error-forbidden'),
  of(true, '/raw-json', { ...ok, ...said('{"a":1}'), data: { a: 1 } }, 'readable'),
  of(false, '/image-without-words', { ...ok, content: [{ type: 'image', url: 'u' }] }, 'image-item'),
  of(false, '/a-list', [1, 2], 'object'),
];
