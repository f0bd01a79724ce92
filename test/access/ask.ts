import { createApp, type Principal } from 'everywire';
import { Credentials, type Authenticator } from 'everywire/access';
import { fn } from '../kit/functions.ts';

export interface Asked {
  /** Calls as a wire does, with a bearer token. Returns the principal, or the code and the message. */
  ask(bearer: string): Promise<Answer>;
  /** Everything that was logged. */
  readonly logged: string[];
}

interface Answer {
  readonly principal?: Principal;
  readonly code?: string;
  readonly message?: string;
}

/** An app with these authenticators, whose only function needs a recognised caller. */
export function appWith(...authenticators: Authenticator[]): Asked {
  let principal: Principal | undefined;
  const whoAmI = fn('WhoAmI', {}, (_, context) => void (principal = context.principal));
  const logged: string[] = [];
  const log = (message: string, fields?: object) => void logged.push(JSON.stringify({ message, ...fields }));
  const app = createApp({
    name: 'Access',
    version: '1.0.0',
    functions: [whoAmI],
    log: { debug: log, info: log, warn: log, error: log },
    access: { authenticators },
  });
  return {
    logged,
    async ask(bearer) {
      principal = undefined;
      const credentials = new Credentials({ bearer });
      const asked = { name: 'WhoAmI', fn: app.find('WhoAmI'), caller: { wire: 'test' }, credentials };
      const { outcome } = await app.respond(asked);
      if (outcome.ok) return { principal: principal! };
      if (principal) throw new Error('The function ran although the call was refused');
      return { code: outcome.error.code, message: outcome.error.message };
    },
  };
}
