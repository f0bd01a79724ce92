import type { Outcome } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { SERVER_INFO } from './revisions.ts';

/** What every result of revision 2026-07-28 has. */
export interface ResultStamp {
  readonly values: { readonly resultType: 'complete'; readonly _meta: Readonly<Record<string, object>> };
  /** Adds it to a result that is JSON already. */
  onto(body: string, hasMeta: boolean): string;
}

export function createResultStamp(serverInfo: object): ResultStamp {
  const values = { resultType: 'complete', _meta: { [SERVER_INFO]: serverInfo } } as const;
  const text = `${JSON.stringify(values).slice(0, -1)},`;
  return {
    values,
    onto(body, hasMeta) {
      if (!hasMeta) return text + body.slice(1);
      const result = JSON.parse(body) as { _meta?: object };
      return JSON.stringify({ ...result, ...values, _meta: { ...result._meta, ...values._meta } });
    },
  };
}

/** Failures and files have a `_meta` of their own, so the stamp must be merged in. */
export const hasOwnMeta = ({ ok }: Outcome, fn: RegisteredFunction | undefined): boolean =>
  !ok || fn?.returnsFile === true;
