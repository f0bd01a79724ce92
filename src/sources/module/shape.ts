/**
 * Marks a schema whose values are not what JSON makes of them: a Set, a Map, a URL. Only the binder reads it, and removes it
 * from what is published.
 */
export const SHAPE = 'x-shape';

export type Shape = 'set' | 'map' | 'entries' | 'url' | 'buffer' | 'array-buffer' | 'to-json' | 'maybe';
