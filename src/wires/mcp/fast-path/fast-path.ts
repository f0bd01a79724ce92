import type { Call } from '../../../core/call.ts';
import type { Caller } from '../../../core/context.ts';
import { factsOfFailed } from '../../../core/failure.ts';
import type { FailureData } from '../../../core/outcome.ts';
import type { Answer } from '../../../app/respond.ts';
import { traceIn } from '../../trace-context.ts';
import { LEGACY, MODERN, SERVER, capabilitiesOf } from './parse-request.ts';
import type { Asked } from './parse-request.ts';
import type { Offer } from '../catalog.ts';
import { Rounds } from '../elicitation.ts';
import { errorResponse, resultText } from '../jsonrpc.ts';

/** What a lane's surroundings know of a call. */
type Surroundings = Pick<Call, 'onLeave' | 'onLog'>;

/**
 * The short way for what is asked most: answers as the official server would, byte for byte as JSON, without making one.
 * Whatever it does not know is left to that server, and so is asking the caller back.
 */
export interface Lane {
  /**
   * The whole answer as text; undefined for what is not the lane's. A call that has to ask its caller ends in the
   * questions instead, for the official server to ask them.
   */
  answer(asked: Asked, around: Surroundings, capabilities?: Readonly<Record<string, unknown>>): Said | Promise<Said>;
}

export type Said = string | Rounds | undefined;

export function createLane({ app, capabilities, listings, profile, caching, environment, wire }: Offer): Lane {
  const anonymous: Caller = Object.freeze({ wire });
  const stamp = { resultType: 'complete', _meta: { [SERVER]: { name: app.name, version: app.version } } };
  const stamped = `${JSON.stringify(stamp).slice(0, -1)},`;
  const instructions = app.description ? { instructions: app.description } : {};
  const facts = { capabilities, ...instructions };
  const discovered = JSON.stringify({ ...stamp, ...caching, supportedVersions: [MODERN], ...facts });
  let lists: Readonly<Record<Asked['era'], string>> | undefined;

  return { answer };

  function answer(
    asked: Asked,
    around: Surroundings,
    declared?: Readonly<Record<string, unknown>>,
  ): Said | Promise<Said> {
    switch (asked.method) {
      case 'tools/call':
        return call(asked, around, declared);
      case 'tools/list':
        return resultText(asked.id, (lists ??= write())[asked.era]);
      case 'server/discover':
        return resultText(asked.id, discovered);
      case 'initialize':
        return resultText(asked.id, introduction(asked.params['protocolVersion'] as string));
      default:
        return resultText(asked.id, '{}');
    }
  }

  function write(): Readonly<Record<Asked['era'], string>> {
    const { tools } = listings;
    return { legacy: JSON.stringify({ tools }), modern: JSON.stringify({ ...stamp, ...caching, tools }) };
  }

  function introduction(wanted: string): string {
    const protocolVersion = LEGACY.includes(wanted) ? wanted : LEGACY[0];
    return JSON.stringify({ protocolVersion, serverInfo: { name: app.name, version: app.version }, ...facts });
  }

  function call(
    asked: Asked,
    { onLeave, onLog }: Surroundings,
    declared: Readonly<Record<string, unknown>> | undefined,
  ) {
    const { era, meta, params } = asked;
    const fn = app.find(params['name'] as string);
    if (!fn) return undefined;
    const isModern = era === 'modern';
    const rounds = new Rounds(isModern ? capabilitiesOf(asked) : declared, isModern);
    const answered = app.respond(
      {
        name: fn.name,
        fn,
        input: params['arguments'],
        caller: meta['traceparent'] === undefined ? anonymous : { wire, ...traceIn(meta) },
        environment,
        asker: rounds,
        onLog,
        onLeave: (listener) => {
          onLeave?.(listener);
          rounds.onAsked = listener;
        },
      },
      profile,
    );
    return answered instanceof Promise
      ? answered.then((late) => end(asked, late, rounds))
      : end(asked, answered, rounds);
  }

  function end(asked: Asked, { body, outcome }: Answer, rounds: Rounds): Said {
    if (outcome.ok) return resultText(asked.id, asked.era === 'modern' ? stamped + body.slice(1) : body);
    if (rounds.isWaiting && outcome.error.code === 'INPUT_REQUIRED') return rounds;
    const { mcp } = factsOfFailed(outcome);
    if (typeof mcp === 'number') return error(asked, mcp, outcome.error);
    return resultText(asked.id, asked.era === 'modern' ? withStamp(body) : body);
  }

  /** A failure says more of itself where the stamp goes. */
  function withStamp(body: string): string {
    const said = JSON.parse(body) as { _meta?: object };
    return JSON.stringify({ ...said, ...stamp, _meta: { ...said._meta, ...stamp._meta } });
  }
}

function error({ id }: Asked, number: number, { code, message, details }: FailureData): string {
  const data = { code, ...(details !== undefined && { details }) };
  return JSON.stringify(errorResponse(id, { code: number, message, data }));
}
