import { messageOf } from '../core/failure.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import { generateArguments } from './generate-arguments.ts';
import type { Kind } from './generate-arguments.ts';
import type { ParityAnswer, ParityCall, ParityWire } from './parity-wire.ts';
import { pick, seeded } from './random.ts';
import { shrink } from './shrink.ts';

export interface ParityOptions {
  readonly functions: readonly RegisteredFunction[];
  /** The others are compared with the first. */
  readonly wires: readonly ParityWire[];
  readonly calls: number;
  readonly seed: number;
  /** The number of calls on wires that start a process for each call. */
  readonly costlyCalls: number;
}

export interface ParityReport {
  readonly calls: number;
  /** The number of compared responses on all wires. */
  readonly answers: number;
  readonly kinds: Readonly<Record<Kind, number>>;
  /** The number of calls that succeeded. */
  readonly successes: number;
  readonly differences: readonly Difference[];
  /** Functions that the caller may not call on some wire: no call of them succeeded. */
  readonly refused: readonly string[];
  /** Functions that return different results for the same call, and cannot be compared. */
  readonly unsteady: readonly string[];
}

/** A call with different responses, and the smallest arguments that show it. */
export interface Difference {
  readonly function: string;
  readonly input: unknown;
  readonly wire: string;
  readonly what: 'body' | 'code' | 'status' | 'exit code';
  readonly expected: string;
  readonly got: string;
}

/** Differences after which a run ends. */
const MAX_DIFFERENCES = 10;
const CONCURRENCY = 16;

/** Makes the same calls on every wire, and lists different responses. */
export async function compareWires(options: ParityOptions): Promise<ParityReport> {
  const { functions, wires, calls, seed, costlyCalls } = options;
  const [reference, ...others] = wires as readonly [ParityWire, ...ParityWire[]];
  const random = seeded(seed);
  const kinds: Record<Kind, number> = { valid: 0, repairable: 0, broken: 0, hostile: 0 };
  const unsteady = new Set<string>();
  const differences: Difference[] = [];
  const seen = new Set<string>();
  const interval = Math.max(1, Math.floor(calls / Math.max(1, costlyCalls)));
  const refused = new Set<string>();
  const succeeded = new Set<string>();
  let answers = 0;
  let successes = 0;
  let made = 0;

  /** Undefined if the responses are equal, or if the function is not deterministic. */
  async function differenceOn(wire: ParityWire, call: ParityCall): Promise<Difference | undefined> {
    const [wanted, got] = await Promise.all([answerOf(reference, call), answerOf(wire, call)]);
    const found = compare(wanted, got);
    if (!found) return undefined;
    const again = await answerOf(reference, call);
    if (compare(wanted, again)) return void unsteady.add(call.function);
    return { ...call, wire: wire.name, ...found };
  }

  async function check(call: ParityCall, isSampled: boolean): Promise<void> {
    const used = others.filter(({ isCostly }) => isSampled || !isCostly);
    const wanted = await answerOf(reference, call);
    if (wanted.code === undefined) successes++;
    const got = await Promise.all(used.map((wire) => answerOf(wire, call)));
    const codes = [wanted, ...got].map(({ code }) => code);
    if (codes.some((code) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN')) refused.add(call.function);
    else if (wanted.code === undefined) succeeded.add(call.function);
    answers += 1 + got.length;
    const status = got.find((one) => one.status !== undefined)?.status;
    for (const [i, wire] of used.entries()) {
      const { status: own = status } = got[i]!;
      if (own !== status) {
        differences.push({ ...call, wire: wire.name, what: 'status', expected: String(status), got: String(own) });
      }
      const found = compare(wanted, got[i]!);
      if (!found || unsteady.has(call.function) || differences.length >= MAX_DIFFERENCES) continue;
      // One of each kind is enough: the next one usually has the same cause.
      const kind = `${call.function} ${wire.name} ${found.what}`;
      if (seen.has(kind)) continue;
      seen.add(kind);
      const first = await differenceOn(wire, call);
      if (!first) continue;
      const same = async (input: unknown) => (await differenceOn(wire, { ...call, input }))?.what === first.what;
      const input = wire.isCostly ? call.input : await shrink(call.input, same);
      differences.push((await differenceOn(wire, { ...call, input })) ?? first);
    }
  }

  async function work(): Promise<void> {
    while (made < calls && differences.length < MAX_DIFFERENCES) {
      const fn = pick(random, functions);
      const { kind, value } = generateArguments(random, fn.inputSchema);
      kinds[kind]++;
      const isSampled = made % interval === 0 && made / interval < costlyCalls;
      made++;
      await check({ function: fn.name, input: random() < 0.02 ? undefined : asSent(value) }, isSampled);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const never = [...refused].filter((name) => !succeeded.has(name));
  return { calls: made, answers, kinds, successes, differences, refused: never, unsteady: [...unsteady] };
}

/** A missing response is a difference too. */
async function answerOf(wire: ParityWire, call: ParityCall): Promise<ParityAnswer> {
  try {
    return await wire.call(call);
  } catch (thrown) {
    return { body: `no response: ${messageOf(thrown)}`, code: 'no response' };
  }
}

/** The value after serialisation, so that the in-process wire gets the same: JSON has no -0. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

type Found = Pick<Difference, 'what' | 'expected' | 'got'>;

function compare(wanted: ParityAnswer, got: ParityAnswer): Found | undefined {
  const [expected, body] = [comparable(wanted.body), comparable(got.body)];
  if (expected !== body) return { what: 'body', expected, got: body };
  if (wanted.code !== got.code) return { what: 'code', expected: wanted.code ?? 'OK', got: got.code ?? 'OK' };
  const isOk = wanted.code === undefined;
  if (got.status !== undefined && (got.status === 200) !== isOk) {
    return { what: 'status', expected: isOk ? '200' : 'that of a failure', got: String(got.status) };
  }
  if (got.exit !== undefined && (got.exit === 0) !== isOk) {
    return { what: 'exit code', expected: isOk ? '0' : 'that of a failure', got: String(got.exit) };
  }
  return undefined;
}

/** Removes timestamps of envelopes and ids of masked errors. */
function comparable(body: string): string {
  return body
    .replace(/^(\{"success":(?:true|false),"timestamp":")[^"]+/, '$1…')
    .replaceAll(/error id [\da-f-]{36}/g, 'error id …');
}
