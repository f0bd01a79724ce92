import { modulePath } from './project.ts';
import type { Project } from './project.ts';

/** Plain functions, and their test: nothing in them runs code of everywire. */
export function sources(project: Project): Readonly<Record<string, string>> {
  const path = modulePath(project);
  return { [path]: FUNCTIONS, [path.replace(/^src(.*)\.ts$/, 'test$1.test.ts')]: testOf(path) };
}

const FUNCTIONS = `import type { int } from 'everywire';

// Every function that this file exports is served. Its types are checked before it runs; its comment is its documentation.

/**
 * Adds two integers together
 * @param x First integer to add
 * @param y Second integer to add
 * @returns Sum of x and y
 */
export function Add(x: int, y: int): int {
  return x + y;
}

/**
 * Greets someone by name
 * @param name Whom to greet
 * @param loudly In capitals
 * @returns The greeting
 */
export function Greet(name: string, loudly = false): string {
  const greeting = \`Hello, \${name}!\`;
  return loudly ? greeting.toUpperCase() : greeting;
}
`;

function testOf(path: string): string {
  const tested = `'../${path}'`;
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Add, Greet } from ${tested};

test('Add adds', () => {
  assert.equal(Add(10, 20), 30);
});

test('Greet greets, in capitals if asked to', () => {
  assert.equal(Greet('Ada'), 'Hello, Ada!');
  assert.equal(Greet('Ada', true), 'HELLO, ADA!');
});
`;
}
