/** What every contender is asked to serve. */
export const add = {
  name: 'Add',
  description: 'Adds two integers together',
  input: {
    type: 'object',
    properties: {
      x: { type: 'integer', description: 'First integer to add' },
      y: { type: 'integer', description: 'Second integer to add' },
    },
    required: ['x', 'y'],
  },
  output: { type: 'integer', description: 'Sum of x and y' },
};
