/** The header that makes a browser save a file under its name (RFC 6266). The name cannot end the header. */
export function contentDisposition(name: string): string {
  if (name === '') return 'attachment';
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_');
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** RFC 8187 allows fewer characters than encodeURIComponent. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
