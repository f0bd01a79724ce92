import type { Profile, ProfileName } from './profiles/profile.ts';
import type { Profiles } from './profiles/profiles.ts';

/** What a caller may ask for with Accept, and how it is labelled. */
export interface Negotiation {
  /** The profile that fits an Accept header best; undefined when none does. */
  readonly choose: (accept: string | undefined) => Profile | undefined;
  /** The media type of a body. */
  readonly typeOf: (profile: Profile, ok: boolean) => string;
  /** All that may be asked for. */
  readonly offered: readonly string[];
}

const JSON_TYPE = 'application/json';

/**
 * Content negotiation (RFC 9110, section 12.5.1) among profiles. The app's own is plain `application/json`, the others
 * have a profile parameter; a problem has a type of its own as well.
 */
export function createNegotiation(profiles: Profiles, standard: Profile): Negotiation {
  const others = Object.values(profiles).filter((profile) => profile !== standard);
  const offers = [standard, ...others];
  const known = new Map<string, Profile | undefined>();
  const labelOf = (profile: Profile) => (profile === standard ? JSON_TYPE : `${JSON_TYPE}; profile=${profile.name}`);
  const labels = new Map(offers.map((profile) => [profile, labelOf(profile)]));

  return {
    choose(accept) {
      if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return standard;
      if (known.has(accept)) return known.get(accept);
      const ranges = readAccept(accept);
      // A header that nobody can read asks for nothing in particular.
      const chosen = ranges.length === 0 ? standard : best(ranges, offers);
      // Clients send few different headers; an attacker's many must not be kept.
      if (known.size < MOST_KNOWN) known.set(accept, chosen);
      return chosen;
    },
    typeOf: (profile, ok) => (ok ? undefined : profile.failureType) ?? labels.get(profile)!,
    offered: [...labels.values(), ...offers.flatMap(({ failureType }) => failureType ?? [])],
  };
}

const MOST_KNOWN = 100;

interface Range {
  readonly type: string;
  /** The profiles that are asked for by name; empty for any. */
  readonly names: readonly string[];
  readonly quality: number;
}

/** The media ranges of an Accept header. What cannot be read asks for nothing. */
function readAccept(accept: string): Range[] {
  const parts = accept.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return parts.flatMap((part) => {
    const [type = '', ...parameters] = (part.match(/(?:"(?:[^"\\]|\\.)*"|[^;"])+/g) ?? []).map((text) => text.trim());
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
    const given = new Map(parameters.map(readParameter));
    const quality = Number(given.get('q') ?? 1);
    if (!(quality >= 0 && quality <= 1)) return [];
    const names = (given.get('profile') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return [{ type: type.toLowerCase(), names, quality }];
  });
}

function readParameter(text: string): [string, string] {
  const [name = '', value = ''] = text.split(/=(.*)/s);
  return [
    name.trim().toLowerCase(),
    value
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll(/\\(.)/gs, '$1'),
  ];
}

/** How closely a range names a profile: 0 not at all, 1 by any type, …, 4 by its name or a type of its own. */
function closeness({ type, names }: Range, { name, failureType }: Profile): number {
  if (type === failureType) return 4;
  if (type === JSON_TYPE) return names.length === 0 ? 3 : names.includes(name satisfies ProfileName) ? 4 : 0;
  if (names.length > 0) return 0;
  return type === 'application/*' ? 2 : type === '*/*' ? 1 : 0;
}

interface Match {
  readonly profile: Profile;
  readonly close: number;
  readonly quality: number;
  /** Where its range stands in the header. */
  readonly place: number;
}

/** The range that names a profile most closely speaks for it; a quality of 0 speaks against it. */
function match(ranges: readonly Range[], profile: Profile): Match | undefined {
  const matches = ranges.map((range, place) => ({
    profile,
    close: closeness(range, profile),
    quality: range.quality,
    place,
  }));
  const [closest] = matches.toSorted((a, b) => b.close - a.close || b.quality - a.quality);
  return closest && closest.close > 0 && closest.quality > 0 ? closest : undefined;
}

/** The highest quality; then who is named most closely, who is named first, and the order of the offers. */
function best(ranges: readonly Range[], offers: readonly Profile[]): Profile | undefined {
  const matches = offers.flatMap((profile) => match(ranges, profile) ?? []);
  const [first] = matches.toSorted((a, b) => b.quality - a.quality || b.close - a.close || a.place - b.place);
  return first?.profile;
}
