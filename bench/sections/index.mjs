import { access } from './access.mjs';
import { growth } from './growth.mjs';
import { http } from './http.mjs';
import { inProcess } from './in-process.mjs';
import { install } from './install.mjs';
import { mcpHttp } from './mcp-http.mjs';
import { mcpStdio } from './mcp-stdio.mjs';
import { modules } from './modules.mjs';
import { openapi } from './openapi.mjs';
import { profile } from './profile.mjs';
import { startUp } from './start-up.mjs';
import { tasks } from './tasks.mjs';
import { tricks } from './tricks.mjs';
import { types } from './types.mjs';
import { workers } from './workers.mjs';

/**
 * What can be measured, by the name it is asked for with. `measure` brings plain data, which is what is kept; `tables`
 * makes tables of it.
 */
export const sections = {
  http,
  'mcp-http': mcpHttp,
  'mcp-stdio': mcpStdio,
  'start-up': startUp,
  modules,
  tricks,
  'in-process': inProcess,
  growth,
  access,
  workers,
  tasks,
  openapi,
  profile,
  types,
  install,
};
