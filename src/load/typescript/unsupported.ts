/** Why a module is left to jiti, which runs CommonJS, too, and explains what is wrong with a module. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
  /** What it depends on, so that the next start need not find it out again. */
  inputs: readonly string[] = [];
  missing: readonly string[] = [];
}

/** An import that leads nowhere now. Where else it was looked for, with the `paths` of tsconfig.json, nobody says. */
export class NotThere extends Unsupported {}
