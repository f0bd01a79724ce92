import { createRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import type { ReadOptions } from './read-definition.ts';
import type { RegisteredFunction } from './registered-function.ts';
import { readerOf } from './resource.ts';
import type { ResourceDefinition } from './resource.ts';
import { LONGEST_ADDRESS, compileTemplate } from './uri-template.ts';
import type { UriTemplate } from './uri-template.ts';

/** A resource as an app serves it. */
interface RegisteredResource {
  readonly definition: ResourceDefinition;
  readonly template: UriTemplate;
  /** Reads it. */
  readonly fn: RegisteredFunction;
}

export interface Resources extends Registry {
  readonly list: readonly RegisteredResource[];
  /** Which one an address belongs to, and what its variables are. */
  locate(
    uri: string,
  ): { readonly resource: RegisteredResource; readonly variables: Readonly<Record<string, string>> } | undefined;
}

/** It goes out as a header, so what is behind the type must be printable, too. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[ -~]*)?$/;

export function createResources(
  definitions: readonly ResourceDefinition[],
  options: ReadOptions,
  problems: string[],
): Resources {
  for (const [i, { uri, read, mimeType }] of definitions.entries()) {
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri))
      problems.push(`resources[${i}]: uri must have a scheme, unlike "${uri}"`);
    if (typeof read !== 'function') problems.push(`resources[${i}]: has no read function`);
    if (mimeType !== undefined && !MEDIA_TYPE.test(mimeType))
      problems.push(`resources[${i}]: mimeType must be one such as text/plain, unlike ${JSON.stringify(mimeType)}`);
  }
  const registry = createRegistry(definitions.map(readerOf), options, problems, 'resources');
  const list = definitions.flatMap((definition) => {
    const fn = registry.find(definition.name);
    return fn ? [{ definition, fn, template: compileTemplate(definition.uri) }] : [];
  });
  return {
    ...registry,
    list,
    locate(uri) {
      if (uri.length > LONGEST_ADDRESS) return undefined;
      for (const resource of list) {
        const variables = resource.template.match(uri);
        if (variables) return { resource, variables };
      }
      return undefined;
    },
  };
}
