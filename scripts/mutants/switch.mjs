/**
 * Returns the function that says whether a mutant is active. Its text is the first line of every file with mutants, so it
 * imports nothing, and expects no process where there is none. With EVERYWIRE_REACHED, no mutant is active, and that file
 * gets the numbers of those that are reached, each with the test (current-test.mjs), or without one in other processes.
 */
export function createSwitch() {
  const key = Symbol.for('everywire.mutant');
  if (globalThis[key]) return globalThis[key];
  const { process } = globalThis;
  const file = process?.env?.EVERYWIRE_REACHED;
  const active = Number(process?.env?.EVERYWIRE_MUTANT);
  const fs = file && process.getBuiltinModule('node:fs');
  let test;
  let seen = new Set();
  const record = (number) => {
    const current = globalThis[Symbol.for('everywire.test')];
    if (current !== test) seen = new Set();
    test = current;
    if (!seen.has(number)) fs.appendFileSync(file, `${number} ${test ?? ''}\n`);
    seen.add(number);
    return false;
  };
  globalThis[key] = file ? record : (number) => number === active;
  return globalThis[key];
}
