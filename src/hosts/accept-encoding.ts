/** The content codings that we can produce, the smaller result first. */
const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/**
 * The content coding that an Accept-Encoding header asks for (RFC 9110, section 12.5.3); undefined for none. Without a
 * header any would be acceptable, but clients that send none rarely decode one.
 */
export function chooseCoding(header: string | readonly string[] | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  const weights = readWeights(String(header));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  // Not listed, it is acceptable, but the codings that are listed are preferred.
  let best = weights.get('identity') ?? 0;
  let chosen: Coding | undefined;
  for (const coding of CODINGS) {
    const weight = weightOf(coding);
    if (weight > best || (weight === best && weight > 0 && !chosen)) {
      best = weight;
      chosen = coding;
    }
  }
  return chosen;
}

/** One pass; a coding that is listed twice has its lower weight. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';');
    const name = coding.trim().replace(/^x-(?=gzip$)/, '');
    if (name !== '') weights.set(name, Math.min(weights.get(name) ?? 1, weightIn(parameters)));
  }
  return weights;
}

/** A weight that cannot be read counts as 0: an uncompressed response is always understood. */
function weightIn(parameters: readonly string[]): number {
  const weight = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.slice(weight.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
