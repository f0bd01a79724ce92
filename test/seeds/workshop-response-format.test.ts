// The workshop's ADR 002, MCP Response Format: its fields, error patterns, agent and testing patterns, under their names.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp, defineFunction, Failure } from 'everywire';
import type { App } from 'everywire';
import { serve } from 'everywire/node';
import { checkResponse, mcpContent, readResponse } from 'everywire/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { appOf } from '../wires/process.ts';

const named = (title: string) => proves('response.seeds', title);

let weather: App;
let answer: (name: string, input: object) => Promise<Record<string, any>>;
beforeAll(async () => {
  weather = await appOf('weather');
  answer = async (name, input) => {
    const { body } = await weather.respond({ name, input, caller: { wire: 'test' } }, weather.profiles.mcp);
    return JSON.parse(body) as Record<string, any>;
  };
});
const oslo = { location: 'Oslo', temperature: 5, conditions: 'Cloudy', humidity: 78, windSpeed: 3.4 };

describe('Field Definitions', () => {
  it(named('content: an array of content items'), async () => {
    expect((await answer('GetWeather', { location: 'Oslo' }))['content']).toEqual([
      { type: 'text', text: JSON.stringify({ result: oslo }) },
    ]);
  });
  it(named('content, future extensions: images and resources'), () => {
    const content = [
      mcpContent.image('AQID', 'image/png'),
      mcpContent.resource({ uri: 'file:///forecast.txt', text: 'Rain' }),
    ];
    expect(checkResponse({ content, isError: false }, { profile: 'mcp' })).toEqual([]);
  });
  it(named('structuredContent: data for programs'), async () => {
    expect((await answer('GetWeather', { location: 'Oslo' }))['structuredContent']).toEqual({ result: oslo });
  });
  it(named('isError: checked first'), async () => {
    expect((await answer('GetWeather', { location: 'Oslo' }))['isError']).toBe(false);
    expect((await answer('GetWeather', { location: 'Atlantis' }))['isError']).toBe(true);
    // Whatever else a result says, the flag decides.
    expect(readResponse({ content: [], structuredContent: { fine: true }, isError: true }).ok).toBe(false);
  });
});

describe('Error Handling Strategy', () => {
  it(named('Business Logic Errors (Expected Failures)'), async () => {
    const response = await answer('GetWeather', { location: 'NonexistentCity12345' });
    expect(response).toEqual({
      content: [{ type: 'text', text: '{"error":"Location not found: NonexistentCity12345"}' }],
      isError: true,
      _meta: { 'everywire/error': { code: 'LOCATION_NOT_FOUND', details: { known: expect.any(Array) }, retry: false } },
    });
  });
  it(named('Infrastructure Errors (Unexpected Failures)'), async () => {
    const app = createApp({
      name: 'Broken',
      version: '1',
      log: { debug() {}, info() {}, warn() {}, error() {} },
      functions: [
        defineFunction({
          name: 'Network',
          description: 'Times out',
          timeout: 5,
          run: () => new Promise<void>(() => {}),
        }),
        defineFunction({
          name: 'Crash',
          description: 'Throws',
          run: () => {
            throw new Error('connection lost');
          },
        }),
        defineFunction({
          name: 'Limited',
          description: 'Says when',
          run: () => new Failure('RATE_LIMITED', 'Too fast', { retryAfter: 2 }),
        }),
      ],
    });
    const results = await Promise.all(
      ['Network', 'Crash', 'Limited'].map(async (name) => {
        const { body } = await app.respond({ name, caller: { wire: 'test' } }, app.profiles.mcp);
        return readResponse(body);
      }),
    );
    expect(results).toMatchObject([
      { ok: false, error: { code: 'TIMEOUT', retry: true } },
      { ok: false, error: { code: 'INTERNAL_ERROR', message: 'connection lost' } },
      { ok: false, error: { code: 'RATE_LIMITED', retryAfter: 2 } },
    ]);
  });
});

describe('Consequences', () => {
  it(named('MCP Compliance'), async () => {
    for (const location of ['Oslo', 'Atlantis']) {
      const response = await answer('GetWeather', { location });
      expect(checkResponse(response, { profile: 'mcp', function: weather.find('GetWeather') })).toEqual([]);
    }
  });
  it(named('Duplication and Manual Consistency: the text is made from the structure'), async () => {
    const response = await answer('GetWeather', { location: 'Oslo' });
    expect(JSON.parse(response['content'][0].text)).toEqual(response['structuredContent']);
    const drifted = { ...response, structuredContent: { result: { ...oslo, temperature: 6 } } };
    expect(checkResponse(drifted, { profile: 'mcp' }).map(({ rule }) => rule)).toEqual(['mcp.same-text']);
  });
  it(named('Error Messages: only appear in content, no error details in structuredContent'), async () => {
    expect(await answer('GetWeather', { location: 'Atlantis' })).not.toHaveProperty('structuredContent');
  });
  it(named('Array Requirement: content is an array even with a single item'), async () => {
    expect(Array.isArray((await answer('ListLocations', {}))['content'])).toBe(true);
  });
});

describe('Agent Side: Response Parsing', () => {
  it(named('an error: the text is what the model reads'), () => {
    expect(
      readResponse({ content: [{ type: 'text', text: 'Error: Location not found' }], isError: true }),
    ).toMatchObject({ ok: false, error: { message: 'Location not found' } });
  });
  it(named('a success: structuredContent is preferred'), () => {
    const result = {
      content: [{ type: 'text', text: '5 degrees' }],
      structuredContent: { temperature: 5 },
      isError: false,
    };
    expect(readResponse(result)).toEqual({ ok: true, data: { temperature: 5 } });
  });
  it(named('a success without structuredContent: fallback to content'), () => {
    expect(readResponse({ content: [{ type: 'text', text: '5 degrees' }], isError: false })).toEqual({
      ok: true,
      data: '5 degrees',
    });
  });
  it(named('the agent: lists tools, calls them, and reads the answers'), async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/weather/agent.mjs']);
    expect(stdout).toContain('scripted stand-in');
    expect(stdout).toContain('assistant  functions_GetWeather {"location":"Oslo"}');
    expect(stdout).toContain('tool       {"error":{"code":"LOCATION_NOT_FOUND"');
    expect(stdout).toMatch(/assistant {2}In Oslo it is 5 °C: cloudy\. Location not found: Atlantis; I know of Oslo/);
  });
});

describe('Testing Pattern', () => {
  let url: string;
  let drain: () => Promise<boolean>;
  beforeAll(async () => {
    ({ url, drain } = await serve(weather, { port: 0 }));
  });
  afterAll(() => drain());
  const curl = async (location: string) => {
    const headers = ['-H', 'Content-Type: application/json', '-H', 'Accept: application/json; profile=mcp'];
    const data = JSON.stringify({ location });
    const { stdout } = await promisify(execFile)('curl', [
      '-sX',
      'POST',
      `${url}/functions/GetWeather`,
      ...headers,
      '-d',
      data,
    ]);
    return JSON.parse(stdout) as unknown;
  };
  it(named('Test Success Response'), async () => {
    expect(await curl('Oslo')).toMatchObject({ structuredContent: { result: { temperature: 5 } }, isError: false });
  });
  it(named('Test Error Response'), async () => {
    const response = await curl('NonexistentCity12345');
    expect(response).toMatchObject({ isError: true });
    expect(response).not.toHaveProperty('structuredContent');
  });
});

describe('Alternatives Considered', () => {
  it(named('Simple String Response: is still understood'), () => {
    expect(readResponse('Temperature in Oslo: 5°C')).toEqual({ ok: true, data: 'Temperature in Oslo: 5°C' });
  });
  it(named('MCP Spec Only (No Extensions): is still understood'), () => {
    expect(readResponse({ content: [{ type: 'text', text: '{"temperature":5}' }], isError: false })).toEqual({
      ok: true,
      data: { temperature: 5 },
    });
  });
});
