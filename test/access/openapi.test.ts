import { createApp } from 'everywire';
import { apiKeys } from 'everywire/access';
import { expect, it } from 'vitest';
import app, { options } from '../apps/access.ts';
import { proves } from '../promises.ts';

type Operation = { security?: unknown; responses: Record<string, { $ref?: string }> };
interface Document {
  security: unknown;
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: object; responses: Record<string, { headers: object }> };
}

const documentOf = async (of: { fetch(request: Request): Promise<Response> }, query = '') =>
  (await (await of.fetch(new Request(`http://localhost/openapi.json${query}`))).json()) as Document;

it(proves('access.openapi', 'schemes, scopes and refusals'), async () => {
  const { security, paths, components } = await documentOf(app);
  const operation = (name: string) => Object.values(paths[`/functions/${name}`]!)[0]!;
  expect(security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(components.securitySchemes).toEqual({
    bearer: { type: 'http', scheme: 'bearer', description: 'A token or an API key.' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  });
  expect(operation('WhoAmI').security).toEqual([]);
  expect(operation('Read').security).toEqual([{ bearer: ['read'] }, { apiKey: ['read'] }]);
  expect(operation('Write')).not.toHaveProperty('security');
  expect(operation('SignedIn')).not.toHaveProperty('security');
  expect(operation('Read').responses['401']).toEqual({ $ref: '#/components/responses/Unauthenticated' });
  expect(operation('Read').responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
  expect(operation('WhoAmI').responses).not.toHaveProperty('403');
  expect(components.responses['Unauthenticated']?.headers).toHaveProperty('WWW-Authenticate');
});

it(proves('access.openapi', 'OpenAPI 3.0 has no scopes but those of OAuth'), async () => {
  const { paths } = await documentOf(app, '?version=3.0');
  expect(paths['/functions/WhoAmI']!['get']!.security).toEqual([]);
  expect(JSON.stringify(paths)).not.toContain('"bearer":["read"]');
});

it(proves('access.openapi', 'what is public by default is public'), async () => {
  const access = {
    authenticators: [{ ...apiKeys({ keys: {} }), scheme: 'apiKey' as const }],
    scopes: 'public' as const,
  };
  const open = await documentOf(createApp({ ...options, access }));
  expect(open.security).toEqual([]);
  expect(open.paths['/functions/Read']!['get']!.security).toEqual([{ apiKey: ['read'] }]);
  expect(Object.keys(open.components.securitySchemes)).toEqual(['apiKey']);
});
