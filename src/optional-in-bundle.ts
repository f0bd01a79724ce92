// `#optional` where a bundle is all there is: in workers and browsers, and in what `everywire build` writes. Bundlers include the
// packages that are installed. With `catch`, an import that they cannot resolve is not an error for them.
const rethrow = (error: unknown): never => {
  throw error;
};

export const importBullmq = (): Promise<typeof import('bullmq')> => import('bullmq').catch(rethrow);
export const importIoredis = () => import('ioredis').catch(rethrow);
export const importJose = () => import('jose').catch(rethrow);
export const importMcpClient = () => import('@modelcontextprotocol/client').catch(rethrow);
export const importOauth = () => import('oauth4webapi').catch(rethrow);
export const importPg = () => import('pg').catch(rethrow);
export const importRolldown = () => import('rolldown').catch(rethrow);
