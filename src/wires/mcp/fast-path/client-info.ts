import { isRecord } from '../../../schema/json-schema.ts';

/** Whether this is an `Implementation` that the SDK would accept. */
export function isClientInfo(client: unknown): boolean {
  if (!isRecord(client) || client['name'] === undefined || client['version'] === undefined) return false;
  for (const key of Object.keys(client)) {
    const value = client[key];
    const fits =
      key === 'icons' ? Array.isArray(value) && value.every(isIcon) : INFO_STRINGS.has(key) && isString(value);
    if (!fits) return false;
  }
  return true;
}

const INFO_STRINGS = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);
const ICON_STRINGS = new Set(['src', 'mimeType']);

function isIcon(icon: unknown): boolean {
  return (
    isRecord(icon) &&
    icon['src'] !== undefined &&
    Object.entries(icon).every(([key, value]) =>
      key === 'sizes' ? Array.isArray(value) && value.every(isString) : ICON_STRINGS.has(key) && isString(value),
    )
  );
}

const isString = (value: unknown) => typeof value === 'string';

/** Whether these are `ClientCapabilities` that the SDK would accept, and all of them are known. */
export function isClientCapabilities(capabilities: unknown): boolean {
  if (!isRecord(capabilities)) return false;
  for (const key of Object.keys(capabilities)) {
    const declared = capabilities[key];
    if (!isRecord(declared) || !CAPABILITY[key]?.(declared)) return false;
  }
  return true;
}

const hasRecords = (declared: Record<string, unknown>) => Object.values(declared).every(isRecord);
const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean';

const CAPABILITY: Readonly<Record<string, (declared: Record<string, unknown>) => boolean>> = {
  __proto__: null as never,
  experimental: hasRecords,
  extensions: hasRecords,
  sampling: hasRecords,
  elicitation: (declared) =>
    hasRecords(declared) && isFlag((declared['form'] as { applyDefaults?: unknown })?.applyDefaults),
  roots: ({ listChanged }) => isFlag(listChanged),
};
