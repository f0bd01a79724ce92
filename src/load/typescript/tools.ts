/** The packages that compile. Not imported statically: a build that is one file would need them to start. */
export async function loadTools() {
  const [{ transformSync }, { parse }, { createJiti }] = await Promise.all([
    import('oxc-transform'),
    import('es-module-lexer'),
    import('jiti'),
  ]);
  return { transformSync, parse, createJiti };
}

export type Tools = Awaited<ReturnType<typeof loadTools>>;
