import type { Bounds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { InexactNumber, parseJson } from '../../schema/parse-json.ts';
import { excessIn, mistakeIn } from './check-message.ts';
import { invalidRequest, invalidRequestText, isId, kindOf } from './jsonrpc.ts';
import type { Message } from './jsonrpc.ts';

/** Undefined if the line is not JSON. White space that JSON does not allow may surround it. */
export function parseLine(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    const trimmed = text.trim();
    if (trimmed.length === text.length) return undefined;
    try {
      return parseJson(trimmed);
    } catch {
      return undefined;
    }
  }
}

/** The response to JSON that is not a valid message: empty if none may be sent, undefined if the message is valid. */
export function rejectionOf(message: unknown, text: string, bounds: Bounds): string | undefined {
  if (!isRecord(message)) return JSON.stringify(invalidRequest(null, 'expected one JSON object per line'));
  const kind = kindOf(message);
  const mistake = kind === 'response' ? undefined : mistakeInMessage(message, bounds);
  if (mistake === undefined) return undefined;
  // Notifications get no response, not even an error.
  if (kind === 'notification' && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string') return '';
  return rejection(mistake, message['id'], text);
}

function mistakeInMessage(message: Message, bounds: Bounds): string | undefined {
  if (message['jsonrpc'] !== '2.0') return 'not JSON-RPC 2.0';
  return mistakeIn(message) ?? excessIn(message, bounds);
}

/** A number that cannot be an id for us is repeated as the client wrote it. */
function rejection(mistake: string, id: unknown, text: string): string {
  if (id instanceof InexactNumber) return invalidRequestText(id.text, mistake);
  if (typeof id === 'number' && !isId(id)) return invalidRequestText(digitsOf(id, text), mistake);
  return JSON.stringify(invalidRequest(isId(id) ? id : null, mistake));
}

function digitsOf(id: number, text: string): string {
  for (const [, digits = ''] of text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)/g)) if (Number(digits) === id) return digits;
  return 'null';
}
