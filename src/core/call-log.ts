import type { CallState } from './call-state.ts';
import type { Log, LogFields } from './context.ts';
import { safely } from './safely.ts';

/** The app's log for one call: every line carries the operationId and the request id. */
export class CallLog implements Log {
  readonly #state: CallState;

  constructor(state: CallState) {
    this.#state = state;
  }

  get debug(): Log['debug'] {
    return (message, fields) => this.#write('debug', message, fields);
  }

  get info(): Log['info'] {
    return (message, fields) => this.#write('info', message, fields);
  }

  get warn(): Log['warn'] {
    return (message, fields) => this.#write('warn', message, fields);
  }

  get error(): Log['error'] {
    return (message, fields) => this.#write('error', message, fields);
  }

  #write(level: keyof Log, message: string, fields: LogFields | undefined): void {
    const { operationId, requestId, parts } = this.#state;
    parts.app.log[level](message, { operationId, requestId, ...fields });
    safely(() => parts.call.onLog?.(level, message, fields));
  }
}
