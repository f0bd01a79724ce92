// `#optional` on Node: the packages that only some apps need. No bundler may see their names in an import: it would refuse to bundle
// an app that does not use them and does not have them. In a bundle they are found from its folder, and so in the app's node_modules.
const load = (name: string): Promise<unknown> =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);

export const importBullmq = () => load('bullmq') as Promise<typeof import('bullmq')>;
export const importIoredis = () => load('ioredis') as Promise<typeof import('ioredis')>;
export const importJose = () => load('jose') as Promise<typeof import('jose')>;
export const importMcpClient = () =>
  load('@modelcontextprotocol/client') as Promise<typeof import('@modelcontextprotocol/client')>;
export const importOauth = () => load('oauth4webapi') as Promise<typeof import('oauth4webapi')>;
export const importPg = () => load('pg') as Promise<typeof import('pg')>;
export const importRolldown = () => load('rolldown') as Promise<typeof import('rolldown')>;
