/** Responses that break the standard, each in its own way, and what is reported. Every framework sends all of them. */
export const wrongAnswers: readonly {
  readonly path: string;
  readonly body: unknown;
  readonly rules: readonly string[];
}[] = [
  { path: '/missing-content', body: { success: true, timestamp: at(), data: { id: 1 } }, rules: ['envelope.content'] },
  { path: '/missing-timestamp', body: { success: true, content: said('x') }, rules: ['envelope.timestamp'] },
  { path: '/missing-success', body: { timestamp: at(), content: said('x') }, rules: ['envelope.success'] },
  {
    path: '/other-flag',
    body: { ok: true, data: { id: 1 } },
    rules: ['envelope.success', 'envelope.timestamp', 'envelope.content'],
  },
  {
    path: '/missing-type',
    body: { success: true, timestamp: at(), content: [{ text: 'x' }] },
    rules: ['envelope.item-type'],
  },
  {
    path: '/empty-content',
    body: { success: true, timestamp: at(), content: [] },
    rules: ['envelope.content-not-empty'],
  },
  {
    path: '/error-as-text',
    body: { success: false, timestamp: at(), content: said('Error: no'), error: 'no' },
    rules: ['envelope.error-required'],
  },
  {
    path: '/error-on-success',
    body: { success: true, timestamp: at(), content: said('x'), error: { code: 'E', message: 'x' } },
    rules: ['envelope.error-forbidden'],
  },
  {
    path: '/raw-json',
    body: { success: true, timestamp: at(), content: said('{"a":1}'), data: { a: 1 } },
    rules: ['envelope.readable'],
  },
  {
    path: '/image-without-words',
    body: { success: true, timestamp: at(), content: [{ type: 'image', url: 'u' }] },
    rules: ['envelope.image-item'],
  },
  { path: '/a-list', body: [1, 2], rules: ['envelope.object'] },
];

/** The responses that `repair` can fix; it replaces the others. */
export const repairable = [
  '/missing-content',
  '/missing-timestamp',
  '/missing-success',
  '/missing-type',
  '/empty-content',
  '/error-as-text',
  '/other-flag',
  '/raw-json',
];

export const right = { success: true, timestamp: at(), content: said('All is well'), data: { id: 1 } };

function at(): string {
  return '2026-01-01T00:00:00Z';
}

function said(text: string): object[] {
  return [{ type: 'text', text }];
}
