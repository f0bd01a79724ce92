/** Why a module is left to jiti, which runs CommonJS, too, and explains what is wrong with a module. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
