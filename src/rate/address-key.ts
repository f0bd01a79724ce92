/**
 * Whose an address is. One customer gets at least a /64 of IPv6 addresses, and may use a new one for every call, so those
 * count as one. An IPv4 address on a socket that takes both is written as ::ffff:1.2.3.4.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.toLowerCase().split('%'); // without the zone: fe80::1%eth0
  const [left = '', right] = plain.split('::');
  const head = groupsOf(left);
  const tail = right === undefined ? [] : groupsOf(right);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => 0);
  const groups = right === undefined ? head : [...head, ...zeros, ...tail];
  if (groups.length !== 8 || groups.some((group) => !(group <= 0xffff))) return address;
  const [, , , , , mark, high = 0, low = 0] = groups;
  if (mark === 0xffff && groups.slice(0, 5).every((group) => group === 0))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The last two groups may be written as an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return /^[0-9a-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : NaN;
    const [a = NaN, b = NaN, c = NaN, d = NaN] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
