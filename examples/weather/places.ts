/** Invented for this example. */
export const places = [
  { name: 'Oslo', temperature: 5, conditions: 'Cloudy', humidity: 78, windSpeed: 3.4 },
  { name: 'Bergen', temperature: 8, conditions: 'Rain', humidity: 91, windSpeed: 7.2 },
  { name: 'Tromsø', temperature: -4, conditions: 'Snow', humidity: 84, windSpeed: 5.1 },
  { name: 'Lisbon', temperature: 18, conditions: 'Sunny', humidity: 62, windSpeed: 4.0 },
  { name: 'Kyoto', temperature: 14, conditions: 'Clear', humidity: 58, windSpeed: 1.9 },
];
