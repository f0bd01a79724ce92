import { checkCli } from './checks/cli.mjs';
import { checkHttp } from './checks/http.mjs';
import { checkLifecycle } from './checks/lifecycle.mjs';
import { checkMcp } from './checks/mcp.mjs';
import { checkStream } from './checks/stream.mjs';
import { checkUpload } from './checks/upload.mjs';

/** What is compared: the task as a person would word it, and what the check of it demands. */
export const tasks = {
  http: {
    title: 'a function over HTTP, its arguments checked',
    demands: 'the right result; a status of 4xx for an argument that is missing, of another type or out of range',
    check: checkHttp,
  },
  mcp: {
    title: 'the same function as an MCP tool',
    demands:
      'the client of the MCP SDK finds the tool with its parameters, gets the result, and an error for a wrong argument',
    check: checkMcp,
  },
  cli: {
    title: 'the same function on the command line, with help',
    demands:
      'flags with their descriptions in `--help`; the result on stdout; an exit code other than 0 for a wrong argument',
    check: checkCli,
  },
  stream: {
    title: 'an answer that is sent row by row',
    demands: 'the first row arrives before the last one is computed, and all of them arrive',
    check: checkStream,
  },
  upload: {
    title: 'a file upload',
    demands: 'a multipart form with a file and a field; 4xx for no file and for one of another media type',
    check: checkUpload,
  },
  lifecycle: {
    title: 'a database, opened at the start and closed at the end',
    demands: 'on SIGTERM, a call under way is finished, then the database is closed, then the process ends with 0',
    check: checkLifecycle,
  },
};
