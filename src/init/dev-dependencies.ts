/** What a new project needs in addition to everywire. A test keeps these at the versions that everywire is tested with. */
export const devDependencies = {
  '@types/node': '^20.19.43',
  // Runs tests in TypeScript on every Node that everywire supports.
  jiti: '^2.7.0',
  rolldown: '^1.2.19',
  typescript: '^7.0.2',
};
