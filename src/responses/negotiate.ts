import { readParameter, splitOutsideQuotes } from './header-parts.ts';
import type { Profile, ProfileName } from './profiles/profile.ts';
import type { Profiles } from './profiles/profiles.ts';

/** Content negotiation by the Accept header. */
export interface Negotiation {
  /** The profile that matches an Accept header best; undefined if none does. */
  readonly choose: (accept: string | undefined) => Profile | undefined;
  /** The Content-Type of a body. */
  readonly typeOf: (profile: Profile, ok: boolean) => string;
  /** All media types that clients can request. */
  readonly offered: readonly string[];
}

const JSON_TYPE = 'application/json';

/**
 * Content negotiation (RFC 9110, section 12.5.1) between profiles. The app's default profile is `application/json`, the
 * others have a profile parameter; problems also have a media type of their own.
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
      // An unreadable header is ignored.
      const chosen = ranges.length === 0 ? standard : best(ranges, offers, standard);
      // Clients send few and short headers. Not all are cached: an attacker could fill the memory.
      if (known.size < MOST_KNOWN && accept.length <= LONGEST_KNOWN) known.set(accept, chosen);
      return chosen;
    },
    typeOf: (profile, ok) => (ok ? undefined : profile.failureType) ?? labels.get(profile)!,
    offered: [...labels.values(), ...offers.flatMap(({ failureType }) => failureType ?? [])],
  };
}

const MOST_KNOWN = 100;
const LONGEST_KNOWN = 1000;

interface Range {
  readonly type: string;
  /** The profiles requested by name; empty for any. */
  readonly names: readonly string[];
  readonly quality: number;
}

/** The media ranges of an Accept header. Skips what it cannot parse. */
export function readAccept(accept: string): Range[] {
  return splitOutsideQuotes(accept, ',').flatMap((part) => {
    const [type = '', ...parameters] = splitOutsideQuotes(part, ';');
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
    const given = new Map(parameters.map(readParameter));
    const weight = given.get('q') ?? '';
    const names = (given.get('profile') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return [
      { type: type.toLowerCase(), names, quality: /^[01](?:\.\d*)?$/.test(weight) ? Math.min(1, Number(weight)) : 1 },
    ];
  });
}

/** How specifically a range matches a profile: 0 not at all, 1 by any type, …, 4 by its name or its own type. */
function closeness({ type, names }: Range, { name, failureType }: Profile, standard: Profile): number {
  // A client that accepts problems next to application/json should still get the app's default profile. With plain as
  // the default nothing is lost: its successes are the same.
  if (type === failureType) return standard.name === 'plain' ? 4 : 3;
  if (type === JSON_TYPE) return names.length === 0 ? 3 : names.includes(name satisfies ProfileName) ? 4 : 0;
  if (names.length > 0) return 0;
  return type === 'application/*' ? 2 : type === '*/*' ? 1 : 0;
}

interface Match {
  readonly profile: Profile;
  readonly close: number;
  readonly quality: number;
  /** The position of its range in the header. */
  readonly place: number;
}

/** The most specific range decides on a profile; a quality of 0 excludes it. */
function match(ranges: readonly Range[], profile: Profile, standard: Profile): Match | undefined {
  let closest: Match | undefined;
  for (const [place, range] of ranges.entries()) {
    const { quality } = range;
    const close = closeness(range, profile, standard);
    const isCloser = !closest || close > closest.close || (close === closest.close && quality > closest.quality);
    if (isCloser) closest = { profile, close, quality, place };
  }
  return closest && closest.close > 0 && closest.quality > 0 ? closest : undefined;
}

/** Sorts by quality, then by specificity, by position in the header, and by the order of the offers. */
function best(ranges: readonly Range[], offers: readonly Profile[], standard: Profile): Profile | undefined {
  const matches = offers.flatMap((profile) => match(ranges, profile, standard) ?? []);
  const [first] = matches.toSorted((a, b) => b.quality - a.quality || b.close - a.close || a.place - b.place);
  return first?.profile;
}
