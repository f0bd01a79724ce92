// The grammar of github.com/distribution/reference, without digests: an image that is not built yet has none.
const DOMAIN_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const TAG = '[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}';
const IMAGE_NAME = new RegExp(`^((?:${DOMAIN}/)?${PART}(?:/${PART})*)(?::${TAG})?$`);

const LONGEST = 255;

/** Whether docker accepts this as an image name with an optional tag. No valid name starts with `-`. */
export function isImageName(text: string): boolean {
  if (text.length > LONGEST + 1 + 128) return false;
  const name = IMAGE_NAME.exec(text)?.[1];
  // 64 hexadecimal digits are an image id.
  return name !== undefined && name.length <= LONGEST && !/^[a-f0-9]{64}$/.test(name);
}
