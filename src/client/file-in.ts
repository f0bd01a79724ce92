/** The file in a response; undefined if the response is not one. */
export async function fileIn(response: Response): Promise<File | undefined> {
  const disposition = response.headers.get('content-disposition') ?? '';
  if (!/^attachment\b/i.test(disposition)) return undefined;
  const type = response.headers.get('content-type') ?? '';
  return new File([await response.blob()], nameIn(disposition), { type });
}

/** RFC 6266. */
function nameIn(disposition: string): string {
  const extended = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  try {
    if (extended !== undefined) return decodeURIComponent(extended);
  } catch {
    // Broken: the other name counts.
  }
  return /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? '';
}
