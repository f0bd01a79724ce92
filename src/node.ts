// The public entry for what needs Node.
export { serve } from './hosts/node.ts';
export type { NodeHost, ServeOptions } from './hosts/node.ts';
export type { TlsOptions } from './hosts/certificate.ts';
export type { CompressionOptions } from './hosts/compression.ts';
export { createServer } from './hosts/create-server.ts';
export type { Apps } from './hosts/mounts.ts';
export { toNodeHandler } from './hosts/node-handler.ts';
export type { NodeHandler } from './hosts/node-handler.ts';
export type { Config } from './load/config.ts';
export { fromModule } from './load/plain/from-module.ts';
export { loadApp } from './load/load-app.ts';
export { run } from './run.ts';
export { hostFolder } from './env/host-folder.ts';
export { auditFile } from './audit/file.ts';
export type { AuditFile } from './audit/file.ts';
