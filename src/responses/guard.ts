import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { checkResponse, messageFor } from './check-response.ts';
import type { Violation } from './check-response.ts';
import { completeResponse } from './complete-response.ts';
import type { Described, Profile } from './profiles/profile.ts';
import type { Clock } from '../core/clock.ts';
import { isToolResult } from './read-tool-result.ts';
import { systemClock } from '../core/clock.ts';

/**
 * What to do with a body that breaks its profile. `enforce`: replace it with INVALID_RESPONSE_FORMAT. `repair`: add
 * what can be derived, and replace it only if that is not enough. `observe`: send it and report it.
 */
export type GuardMode = 'enforce' | 'repair' | 'observe';

export const guardModes: readonly GuardMode[] = ['enforce', 'repair', 'observe'];

/** What a guard did with a body. */
export interface GuardResult {
  readonly violations: readonly Violation[];
  readonly did: 'passed' | 'repaired' | 'replaced';
  /** The body to send instead. */
  readonly body?: string;
  /** The failure that replaces the response. */
  readonly failure?: Failed;
}

/** What a guard knows about a body. */
interface GuardedBody {
  readonly profile: Profile;
  readonly function?: Described | undefined;
  readonly ignore?: readonly string[] | undefined;
}

/** Checks a body before it is sent. Never throws. */
export type Guard = (body: string, about: GuardedBody) => GuardResult;

const PASSED: GuardResult = { violations: [], did: 'passed' };

/** A thousand invalid items need not all be listed. */
const MOST_SHOWN = 20;

export function createGuard(mode: GuardMode, clock: Clock = systemClock): Guard {
  return (text, about) => {
    const body = parse(text);
    const rpc = about.profile.name === 'mcp' && isRecord(body) && body['jsonrpc'] === '2.0' ? body : undefined;
    if (!rpc) return judge(body, about);
    // Tool results are inside JSON-RPC responses; responses to other methods are not checked.
    const { result } = rpc;
    if (!isRecord(result) || !isToolResult(result)) return PASSED;
    const { body: replacement, ...rest } = judge(result, about);
    if (replacement === undefined) return rest;
    return { ...rest, body: JSON.stringify({ ...rpc, result: JSON.parse(replacement) as unknown }) };
  };

  function judge(body: unknown, { profile, function: fn, ignore }: GuardedBody): GuardResult {
    const options = { profile: profile.name, function: fn, inner: profile.inner, ignore };
    const violations = checkResponse(body, options);
    if (violations.length === 0) return PASSED;
    if (mode === 'observe') return { violations, did: 'passed' };
    if (mode === 'repair' && isRecord(body)) {
      const completed = completeResponse(body, profile.name, clock);
      if (checkResponse(completed, options).length === 0) {
        return { violations, did: 'repaired', body: JSON.stringify(completed) };
      }
    }
    const failure = refuse('INVALID_RESPONSE_FORMAT', messageFor(violations), {
      details: { violations: violations.slice(0, MOST_SHOWN) },
    });
    return { violations, did: 'replaced', failure, body: JSON.stringify(profile.render(failure, fn)) };
  }
}

/** Returns a string if it is not JSON: the rules then report that the body is no object. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
