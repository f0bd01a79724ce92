// The workshop's ADR 002, MCP Response Format: its fields, error patterns, agent and testing patterns, under their names.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp, defineFunction, Failure, type App } from 'everywire';
import { serve } from 'everywire/node';
import { checkResponse, mcpContent, readResponse } from 'everywire/responses';
import { beforeAll, describe, expect, it } from 'vitest';
import { silent, throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';
import { appOf } from '../wires/process.ts';

const named = (title: string) => proves('response.seeds', title);
const exec = promisify(execFile);

let weather: App;
beforeAll(async () => {
  weather = await appOf('weather');
});
const answered = async (app: App, name: string, input: object = {}) => {
  const { body } = await app.respond({ name, input, caller: { wire: 'test' } }, app.profiles.mcp);
  return JSON.parse(body) as Record<string, any>;
};
const weatherIn = (location: string) => answered(weather, 'GetWeather', { location });
const oslo = { location: 'Oslo', temperature: 5, conditions: 'Cloudy', humidity: 78, windSpeed: 3.4 };

describe('Field Definitions', () => {
  it(named('content: an array of content items; structuredContent: data for programs'), async () => {
    const { content, structuredContent } = await weatherIn('Oslo');
    expect(content).toEqual([{ type: 'text', text: JSON.stringify({ result: oslo }) }]);
    expect(structuredContent).toEqual({ result: oslo });
  });
  it(named('content, future extensions: images and resources'), () => {
    const image = mcpContent.image('AQID', 'image/png');
    const content = [image, mcpContent.resource({ uri: 'file:///forecast.txt', text: 'Rain' })];
    expect(checkResponse({ content, isError: false }, { profile: 'mcp' })).toEqual([]);
  });
  it(named('isError: checked first'), async () => {
    expect((await weatherIn('Oslo'))['isError']).toBe(false);
    expect((await weatherIn('Atlantis'))['isError']).toBe(true);
    // Whatever else a result says, the flag decides.
    expect(readResponse({ content: [], structuredContent: { fine: true }, isError: true }).ok).toBe(false);
  });
});

describe('Error Handling Strategy', () => {
  it(named('Business Logic Errors (Expected Failures)'), async () => {
    expect(await weatherIn('NonexistentCity12345')).toEqual({
      content: [{ type: 'text', text: '{"error":"Location not found: NonexistentCity12345"}' }],
      isError: true,
      _meta: { 'everywire/error': { code: 'LOCATION_NOT_FOUND', details: { known: expect.any(Array) }, retry: false } },
    });
  });
  it.each<[string, () => unknown, object]>([
    ['Network', () => new Promise<void>(() => {}), { code: 'TIMEOUT', retry: true }],
    ['Crash', throwing(new Error('lost')), { code: 'INTERNAL_ERROR', message: 'lost' }],
    ['Limited', () => new Failure('RATE_LIMITED', 'Wait', { retryAfter: 2 }), { code: 'RATE_LIMITED', retryAfter: 2 }],
  ])(named('Infrastructure Errors (Unexpected Failures): %s'), async (name, run, error) => {
    const broken = defineFunction({ name, description: name, timeout: 5, run: run as () => void });
    const app = createApp({ name: 'Broken', version: '1', log: silent, functions: [broken] });
    expect(readResponse(await answered(app, name))).toMatchObject({ ok: false, error });
  });
});

describe('Consequences', () => {
  it(named('MCP Compliance'), async () => {
    const about = { profile: 'mcp', function: weather.find('GetWeather')! } as const;
    for (const location of ['Oslo', 'Atlantis']) expect(checkResponse(await weatherIn(location), about)).toEqual([]);
  });
  it(named('Duplication and Manual Consistency: the text is made from the structure'), async () => {
    const response = await weatherIn('Oslo');
    expect(JSON.parse(response['content'][0].text)).toEqual(response['structuredContent']);
    const drifted = { ...response, structuredContent: { result: { ...oslo, temperature: 6 } } };
    expect(checkResponse(drifted, { profile: 'mcp' }).map(({ rule }) => rule)).toEqual(['mcp.same-text']);
  });
  it(named('Error Messages: only appear in content, no error details in structuredContent'), async () => {
    expect(await weatherIn('Atlantis')).not.toHaveProperty('structuredContent');
  });
  it(named('Array Requirement: content is an array even with a single item'), async () => {
    expect(Array.isArray((await answered(weather, 'ListLocations'))['content'])).toBe(true);
  });
});

const text = (words: string, isError = false) => ({ content: [{ type: 'text', text: words }], isError });

describe('Agent Side: Response Parsing', () => {
  it.each([
    ['an error: the text is what the model reads', text('Error: Location not found', true), 'Location not found'],
    ['structuredContent is preferred', { ...text('5 °C'), structuredContent: { temperature: 5 } }, { temperature: 5 }],
    ['a success without structuredContent: fallback to content', text('5 degrees'), '5 degrees'],
    ['Alternatives: Simple String Response: is still understood', 'In Oslo: 5°C', 'In Oslo: 5°C'],
    ['Alternatives: MCP Spec Only (No Extensions)', text('{"temperature":5}'), { temperature: 5 }],
  ])(named('%s'), (title, response, read) => {
    const outcome = readResponse(response);
    if (title.startsWith('an error')) expect(outcome).toMatchObject({ ok: false, error: { message: read } });
    else expect(outcome).toEqual({ ok: true, data: read });
  });
  it(named('the agent: lists tools, calls them, and reads the answers'), async () => {
    const { stdout } = await exec(process.execPath, ['examples/weather/agent.mjs']);
    expect(stdout).toContain('scripted stand-in');
    expect(stdout).toContain('assistant  functions_GetWeather {"location":"Oslo"}');
    expect(stdout).toContain('tool       {"error":{"code":"LOCATION_NOT_FOUND"');
    expect(stdout).toMatch(/assistant {2}In Oslo it is 5 °C: cloudy\. Location not found: Atlantis; I know of Oslo/);
  });
});

it(named('Testing Pattern: Test Success Response, Test Error Response'), async () => {
  const { url, drain } = await serve(weather, { port: 0 });
  const headers = ['-H', 'Content-Type: application/json', '-H', 'Accept: application/json; profile=mcp'];
  const curl = async (location: string) => {
    const data = JSON.stringify({ location });
    return (await exec('curl', ['-sX', 'POST', `${url}/functions/GetWeather`, ...headers, '-d', data])).stdout;
  };
  const [success, error] = [await curl('Oslo'), await curl('NonexistentCity12345')].map((body) => JSON.parse(body));
  await drain();
  expect(success).toMatchObject({ structuredContent: { result: { temperature: 5 } }, isError: false });
  expect(error).toMatchObject({ isError: true });
  expect(error).not.toHaveProperty('structuredContent');
});
