// Programs that use the generated clients. Each is compiled in strict mode and run against a server. A line after
// `@ts-expect-error` must not compile: it would if a result were `any`.

export type Generator = 'openapi-fetch' | 'orval' | 'hey-api' | 'swagger-typescript-api';

/** How a client of each generator is created and called. */
interface Syntax {
  /** The statements that come first. */
  readonly setUp: (app: string) => string;
  /** An expression for the body of a success, and one for the body of a failure. */
  readonly succeed: (fn: string, args: string) => string;
  readonly fail: (fn: string, args: string) => string;
}

export const syntaxes: Record<Generator, Syntax> = {
  'openapi-fetch': {
    setUp: (app) => `
import createClient from 'openapi-fetch';
import type { paths } from './${app}.js';
const connect = (baseUrl: string) => createClient<paths>({ baseUrl });`,
    succeed: (fn, args) => `(await client.POST('/functions/${fn}', { body: ${args} })).data!`,
    fail: (fn, args) => `(await client.POST('/functions/${fn}', { body: ${args} })).error!`,
  },
  orval: {
    setUp: (app) => `
import * as client from './${app}.js';
const connect = (_: string) => client; // the URL was given to the generator
interface Response { status: number; data: unknown }
function succeeded<R extends Response>({ status, data }: R) {
  if (status !== 200) throw new Error(JSON.stringify(data));
  return data as Extract<R, { status: 200 }>['data'];
}
function failed<R extends Response>({ status, data }: R) {
  if (status === 200) throw new Error('It succeeded');
  return data as Exclude<R, { status: 200 }>['data'];
}`,
    succeed: (fn, args) => `succeeded(await client.functions${fn}(${args}))`,
    fail: (fn, args) => `failed(await client.functions${fn}(${args}))`,
  },
  'hey-api': {
    setUp: (app) => `
import * as functions from './${app}/index.js';
import { createClient } from './${app}/client/index.js';
const connect = (baseUrl: string) => createClient({ baseUrl });`,
    succeed: (fn, args) => `(await functions.functions${fn}({ client, body: ${args} })).data!`,
    fail: (fn, args) => `(await functions.functions${fn}({ client, body: ${args} })).error!`,
  },
  'swagger-typescript-api': {
    setUp: (app) => `
import { Api } from './${app}.js';
import type { Failure, HttpResponse } from './${app}.js';
const connect = (baseUrl: string) => new Api({ baseUrl }).functions;
const failed = (response: Promise<HttpResponse<unknown, Failure>>): Promise<Failure> =>
  response.then(() => { throw new Error('It succeeded'); }, ({ error }: HttpResponse<unknown, Failure>) => error);`,
    succeed: (fn, args) => `(await client.functions${fn}(${args})).data`,
    fail: (fn, args) => `(await failed(client.functions${fn}(${args})))`,
  },
};

type Scenario = (syntax: Pick<Syntax, 'succeed' | 'fail'>) => string;

/** What the programs do, by app. Types are compared exactly. */
export const scenarios = {
  calculator: ({ succeed, fail }) => `
    const { result } = ${succeed('Add', '{ x: 20, y: 22 }')};
    is<number>()(result);
    const { result0, result1 } = ${succeed('DivMod', '{ x: 17, y: 5 }')};
    is<number>()(result1);
    const statistics = ${succeed('Statistics', "{ values: [1, 2, 6], round: { digits: 1, mode: 'up' } }")}.result;
    is<string>()(statistics.measure);
    const { error } = ${fail('Divide', '{ dividend: 1, divisor: 0 }')};
    is<string>()(error);
    ${succeed('Reset', '{}')};
    async function wrong() {
      // @ts-expect-error a result is not any
      is<string>()(result);
      // @ts-expect-error an argument is missing
      ${succeed('Add', '{ x: 1 }')};
      // @ts-expect-error an argument has the wrong type
      ${succeed('Add', "{ x: 1, y: 'two' }")};
      // @ts-expect-error there is no such value of an enum
      ${succeed('Statistics', "{ values: [1], measure: 'mode' }")};
    }
    return { result, remainder: [result0, result1], statistics, error };`,

  shop: ({ succeed, fail }) => `
    const order = ${succeed('GetOrder', "{ id: 'o-1' }")}.result;
    is<string>()(order.id);
    is<string>()(order.placedAt);
    is<'new' | 'paid' | 'sent' | 'cancelled'>()(order.status);
    is<'EUR' | 'NOK' | 'USD'>()(order.total.currency);
    is<number | null>()(order.shipTo.floor);
    is<number>()(order.lines[0]!.quantity);
    is<string | null | undefined>()(order.lines[0]!.note);
    const label: string | undefined = order.labels['gift'];
    const placed = ${succeed(
      'PlaceOrder',
      "{ lines: [{ sku: 'tea' }], shipTo: order.shipTo, contact: { email: 'a@b.no', phone: null, language: 'nb' }, payment: { kind: 'card', last4: '4242' } }",
    )}.result;
    ${succeed('ImportOrder', '{ order: { ...order, lines: [{ sku: "tea" }] } }')};
    const listed = ${succeed('ListOrders', "{ status: 'new', since: '2026-01-01T00:00:00Z' }")}.result;
    is<string>()(listed[0]!.shipTo.city);
    const split = ${succeed('SplitOrder', "{ id: 'o-1', skus: ['tea'] }")};
    is<string>()(split.result0.id);
    const second: string | undefined = split.result1?.id;
    const totals = ${succeed('OrderTotals', '{}')}.result;
    is<number>()(totals['NOK']!.amount);
    const tree = ${succeed('Categories', '{}')}.result;
    is<string>()(tree.children[0]!.name);
    const moved = ${succeed('MoveCategory', '{ category: tree, below: null }')}.result;
    is<boolean>()(moved);
    const money = ${succeed('Convert', "{ money: { amount: 2, currency: 'NOK' }, to: 'EUR' }")}.result;
    const address = ${succeed('FindAddress', '{ query: { latitude: 1, longitude: 2 } }')}.result;
    const city: string | undefined = address?.city;
    const payment = ${succeed('SetContact', "{ id: 'o-1', contact: { email: 'a@b.no', phone: null, language: 'nb' } }")}.result;
    if (payment.kind === 'card') is<string>()(payment.last4);
    else is<number>()(payment.dueInDays);
    ${succeed('Ping', '{}')};
    const page = ${succeed('SearchProducts', "{ text: 'tea', filter: { price: { to: 100 } } }")}.result;
    is<string[]>()(page.products[0]!.images);
    const { left } = ${succeed('Stock', "{ sku: 'tea', quantity: 1 }")}.result;
    is<number>()(left);
    const missing = ${fail('GetOrder', "{ id: 'o-2' }")}.error;
    is<string>()(missing);
    const gone = ${fail(
      'PlaceOrder',
      "{ lines: [{ sku: 'gone' }], shipTo: order.shipTo, contact: { email: 'a@b.no', phone: null, language: 'nb' } }",
    )}.error;
    async function wrong() {
      // @ts-expect-error a result is not any
      is<number>()(order.id);
      // @ts-expect-error there is no such field
      order.nothing;
      // @ts-expect-error it may be null
      split.result1.id;
      // @ts-expect-error which payment it is must be looked at first
      payment.last4;
      // @ts-expect-error no such currency
      ${succeed('Convert', "{ money: { amount: 2, currency: 'XXX' }, to: 'EUR' }")};
      // @ts-expect-error a field of a nested type is missing
      ${succeed('ImportOrder', '{ order: { ...order, shipTo: { street: "x" } } }')};
    }
    return {
      order, label, placed: placed.lines, listed: listed.length, second, totals, tree, moved, money, city, payment,
      page, left, missing, gone,
    };`,
  // The answer may be a task, and without a preference it is none.
  tasks: ({ succeed }) => `
    const plain = ${succeed('Plain', '{ x: 4 }')}.result;
    is<number>()(plain);
    const several = ${succeed('Several', '{ x: 4 }')};
    const word = 'result1' in several && several.result1 === '4';
    return { plain, word };`,
} satisfies Record<string, Scenario>;

/** A whole program. */
export function programFor(generator: Generator, app: string, scenario: Scenario): string {
  const syntax = syntaxes[generator];
  return `${syntax.setUp(app)}
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if a value has exactly this type. */
const is = <Wanted>() => <Given>(_: Equal<Given, Wanted> extends true ? Given : never) => {};
export async function run(url: string) {
  const client = connect(url);
${scenario(syntax)}
}
`;
}
