/** What each wire makes of a failure code. The only such table; docs/codes.md is checked against it. */
export interface CodeFacts {
  /** HTTP and CGI status. */
  readonly status: number;
  /** MCP: a tool result with `isError`, a JSON-RPC error with this number, or no response. */
  readonly mcp: 'result' | 'none' | number;
  /** Exit code of the command line. */
  readonly exit: number;
  /** Whether the same call may succeed later. */
  readonly retry: boolean;
  /** When it happens, for the docs. */
  readonly when: string;
}

const author = { mcp: 'result', exit: 1, retry: false } as const;
const request = { mcp: -32600, exit: 2, retry: false } as const;

export const codes = {
  INVALID_JSON: { ...request, status: 400, mcp: -32700, when: 'The body is not JSON.' },
  INVALID_ARGUMENTS: { ...request, status: 400, mcp: 'result', when: 'The arguments break the input schema.' },
  FUNCTION_NOT_FOUND: { ...request, status: 404, mcp: -32602, exit: 127, when: 'No function has that name.' },
  RESOURCE_NOT_FOUND: { ...request, status: 404, mcp: -32602, exit: 127, when: 'No resource has that address.' },
  PROMPT_NOT_FOUND: { ...request, status: 404, mcp: -32602, exit: 127, when: 'No prompt has that name.' },
  INTERNAL_ERROR: { ...author, status: 500, exit: 70, when: 'The function threw something unexpected.' },
  INVALID_OUTPUT: {
    ...author,
    status: 500,
    exit: 70,
    when: 'The function returned a value that breaks its output schema or is not JSON.',
  },
  INVALID_RESPONSE_FORMAT: { ...author, status: 500, exit: 70, when: 'The response broke the rules of its profile.' },
  TIMEOUT: { ...author, status: 504, exit: 124, retry: true, when: 'The function took longer than its timeout.' },
  CANCELLED: { ...author, status: 499, mcp: 'none', exit: 130, when: 'The client disconnected or cancelled the call.' },
  BAD_REQUEST: { ...request, status: 400, when: 'The request breaks the protocol of its wire.' },
  PAYLOAD_TOO_LARGE: { ...request, status: 413, when: 'The body is larger than the limit.' },
  HEADERS_TOO_LARGE: { ...request, status: 431, when: 'The headers are larger than the limit.' },
  REQUEST_TIMEOUT: { ...request, status: 408, retry: true, when: 'The request did not arrive in time.' },
  METHOD_NOT_ALLOWED: { ...request, status: 405, when: 'The path exists, but not with this method.' },
  NOT_ACCEPTABLE: {
    ...author,
    status: 406,
    when: 'No available format matches the Accept header, or a returned file is too large for JSON.',
  },
  UNSUPPORTED_MEDIA_TYPE: { ...request, status: 415, when: 'The Content-Type is neither JSON nor a form.' },
  UNAVAILABLE: { ...author, status: 503, retry: true, when: 'Too many calls at once, or the server is shutting down.' },
  NOT_FOUND: {
    ...author,
    status: 404,
    when: 'From a function: the requested item does not exist. From the server: no such path.',
  },
  UNAUTHENTICATED: {
    ...author,
    status: 401,
    exit: 77,
    when: 'The caller must authenticate, or its credentials are invalid.',
  },
  FORBIDDEN: {
    ...author,
    status: 403,
    exit: 77,
    when: 'The caller lacks a scope or permission; or its Host or Origin is not allowed.',
  },
  CONFLICT: {
    ...author,
    status: 409,
    when: 'From a function: the current state does not allow it. From the server: the task has no result, because it waits for input.',
  },
  GONE: { ...author, status: 410, when: 'From a function: the requested item no longer exists.' },
  RATE_LIMITED: {
    ...author,
    status: 429,
    exit: 75,
    retry: true,
    when: 'Too many calls in too little time; try later.',
  },
  QUOTA_EXCEEDED: { ...author, status: 507, when: 'A file would be larger than its mount allows.' },
  TASK_NOT_FOUND: {
    ...request,
    status: 404,
    mcp: -32602,
    exit: 127,
    when: 'No task has that id, or it has expired, or it is a task of somebody else.',
  },
  TASK_REQUIRED: {
    ...request,
    status: 400,
    mcp: -32021,
    when: 'The function always runs as a task, and this MCP client does not support tasks.',
  },
  TASK_NOT_ALLOWED: {
    ...request,
    status: 400,
    mcp: -32601,
    when: 'The function never runs as a task, and an MCP client of revision 2025-11-25 asked for one.',
  },
  TASK_LOST: {
    ...author,
    status: 500,
    mcp: -32603,
    exit: 70,
    when: 'The task was started several times and never finished, because its process ended each time.',
  },
  RESULT_TOO_LARGE: {
    ...author,
    status: 500,
    mcp: -32603,
    exit: 70,
    when: 'The result of a task is larger than the limit.',
  },
  IDEMPOTENCY_MISMATCH: {
    ...author,
    status: 422,
    when: 'The same Idempotency-Key was used before, with other arguments.',
  },
  INPUT_REQUIRED: { ...author, status: 422, when: 'The function needs input, but this client cannot be prompted.' },
  DECLINED: { ...author, status: 422, when: 'The function asked for input, and the user declined.' },
  UNKNOWN_ERROR: { ...author, status: 500, exit: 70, when: 'From our client: a failed response without a code.' },
} as const satisfies Record<string, CodeFacts>;

/** An indexed access, because TypeScript shows a `keyof` as the list of all codes. */
export type Code = { [C in keyof typeof codes]: C }[keyof typeof codes];

/** The description of an author's own error code. */
export interface DeclaredError {
  readonly description: string;
  /** HTTP and CGI status; 422 by default. */
  readonly status?: number;
  /** Whether the same call may succeed later. */
  readonly retry?: boolean;
  /** A class whose errors have this code if the function throws them, also those of its subclasses; or the name of one. */
  readonly class?: ErrorClass | string;
}

/** Any class of errors, whatever its constructor takes. */
type ErrorClass = abstract new (...args: never[]) => Error;

/** The error codes that a function declares. */
export interface DeclaredErrors {
  readonly [code: string]: DeclaredError;
}

/** Codes and statuses of thrown errors, for every function of an app. */
export interface ThrownOptions {
  /** As if every function declared these errors. What a function says itself about a code or a class wins. */
  readonly classes?: { readonly [code: string]: DeclaredError & { readonly class: ErrorClass | string } };
  /**
   * Classes whose errors bring their own `code`, `status` or `statusCode`, also their subclasses. Only statuses from 400 to 499
   * count; other errors stay INTERNAL_ERROR.
   */
  readonly ownCodes?: readonly (ErrorClass | string)[];
}

/** For codes that are neither declared nor in the table. */
const undeclared: CodeFacts = { ...author, status: 422, when: 'From a function: any other code.' };

/** Looks up a code: first the author's declaration, then the table, then the default. */
export function factsOf(code: string, declared?: DeclaredErrors): CodeFacts {
  const facts = Object.hasOwn(codes, code) ? codes[code as Code] : undeclared;
  const own = declared && Object.hasOwn(declared, code) ? declared[code] : undefined;
  if (!own) return facts;
  return { ...facts, status: own.status ?? facts.status, retry: own.retry ?? facts.retry, when: own.description };
}

/** Codes whose names are not the reason phrases of their statuses. */
const NAMED: Readonly<Record<number, Code>> = { 401: 'UNAUTHENTICATED', 429: 'RATE_LIMITED' };

/** The code of an error that has only a status. */
export function codeOfStatus(status: number): string {
  return NAMED[status] ?? reasonPhrase(status).toUpperCase().replaceAll(' ', '_');
}

const PHRASES: Record<number, string> = {
  200: 'OK',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  423: 'Locked',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
};

/** The reason phrase of a status: `Not Found`. */
export function reasonPhrase(status: number): string {
  return PHRASES[status] ?? (status < 500 ? 'Error' : 'Server Error');
}

/** The status line of HTTP and CGI: `404 Not Found`. */
export function statusLine(status: number): string {
  return `${status} ${reasonPhrase(status)}`;
}
