import { createRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import type { ReadOptions } from './read-definition.ts';
import type { RegisteredFunction } from './registered-function.ts';
import { resourceFunction } from './resource.ts';
import type { ResourceDefinition } from './resource.ts';
import { MAX_URI_LENGTH, compileTemplate } from './uri-template.ts';
import type { UriTemplate } from './uri-template.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

const RESOURCE_OPTIONS = {
  uri: true,
  name: true,
  title: true,
  description: true,
  mimeType: true,
  scopes: true,
  list: true,
  complete: true,
  read: true,
  '~needs': true,
} satisfies Known<ResourceDefinition>;

/** A resource of an app. */
interface RegisteredResource {
  readonly definition: ResourceDefinition;
  readonly template: UriTemplate;
  /** Reads the resource. */
  readonly fn: RegisteredFunction;
}

export interface Resources extends Registry {
  readonly list: readonly RegisteredResource[];
  /** Finds the resource for an address, and the values of its variables. */
  locate(uri: string): Located | undefined;
}

/** The resource at an address, and the values in it. */
export interface Located {
  readonly resource: RegisteredResource;
  readonly variables: Readonly<Record<string, string>>;
}

/** Sent as a header, so parameters must be printable ASCII. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[ -~]*)?$/;

const hasUri = ({ uri }: ResourceDefinition) => typeof uri === 'string';

export function createResources(
  definitions: readonly ResourceDefinition[],
  options: ReadOptions,
  problems: string[],
): Resources {
  for (const [i, definition] of definitions.entries()) {
    const { uri, read, mimeType } = definition;
    problems.push(...unknownOptions(definition, RESOURCE_OPTIONS, `resources[${i}]`));
    if (typeof uri !== 'string' || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri))
      problems.push(`resources[${i}]: uri must start with a scheme, such as notes:, not "${uri}"`);
    if (typeof read !== 'function') problems.push(`resources[${i}]: has no read function`);
    if (mimeType !== undefined && !MEDIA_TYPE.test(mimeType))
      problems.push(
        `resources[${i}]: mimeType must be a media type such as text/plain, not ${JSON.stringify(mimeType)}`,
      );
  }
  const registry = createRegistry(definitions.filter(hasUri).map(resourceFunction), options, problems, 'resources');
  const list = definitions.flatMap((definition) => {
    const fn = registry.find(definition.name);
    return fn ? [{ definition, fn, template: compileTemplate(definition.uri) }] : [];
  });
  return {
    ...registry,
    list,
    locate(uri) {
      if (uri.length > MAX_URI_LENGTH) return undefined;
      for (const resource of list) {
        const variables = resource.template.match(uri);
        if (variables) return { resource, variables };
      }
      return undefined;
    },
  };
}
