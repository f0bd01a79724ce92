/** As the plain module is called: after its file, with the version of the tests' package.json. */
export const facts = { name: 'calculator', version: '0.0.0' };
