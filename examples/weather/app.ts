import { createApp, defineFunction, Failure } from 'everywire';
import { z } from 'zod';
import { places } from './places.ts';

const report = z
  .object({
    location: z.string().describe('Where'),
    temperature: z.number().describe('Degrees Celsius'),
    conditions: z.string().describe('In a word or two'),
    humidity: z.int().describe('Per cent'),
    windSpeed: z.number().describe('Metres a second'),
  })
  .describe('The weather now');

const getWeather = defineFunction({
  name: 'GetWeather',
  title: 'Current weather',
  description: 'Tells the current weather of a place',
  input: z.object({ location: z.string().min(1).describe('Name of the place, such as Oslo') }),
  output: report,
  errors: { LOCATION_NOT_FOUND: { description: 'No place of that name is known.', status: 404 } },
  hints: { readOnly: true, idempotent: true },
  examples: [{ input: { location: 'Oslo' } }],
  run: ({ location }) => {
    const place = places.find(({ name }) => name.toLowerCase() === location.trim().toLowerCase());
    if (!place) {
      // An expected failure. Its details list the known places, so that the caller can choose one.
      throw new Failure('LOCATION_NOT_FOUND', `Location not found: ${location}`, {
        details: { known: places.map(({ name }) => name) },
      });
    }
    const { name, ...weather } = place;
    return { location: name, ...weather };
  },
});

const listLocations = defineFunction({
  name: 'ListLocations',
  title: 'Known places',
  description: 'Lists the places whose weather is known',
  input: z.object({
    warmerThan: z.number().optional().describe('Only places with more degrees Celsius than this'),
  }),
  output: z.array(z.string()).describe('Names of places'),
  hints: { readOnly: true, idempotent: true },
  examples: [{ input: { warmerThan: 10 } }],
  run: ({ warmerThan = -Infinity }) =>
    places.filter(({ temperature }) => temperature > warmerThan).map(({ name }) => name),
});

export default createApp({
  name: 'Weather',
  version: '1.0.0',
  description: 'The weather of a few places, from data that comes with the example.',
  license: { name: 'MIT', identifier: 'MIT' },
  functions: [getWeather, listLocations],
});
