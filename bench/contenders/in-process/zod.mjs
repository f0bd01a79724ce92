import { input } from '../add-zod.mjs';

export const call = (given) => {
  const { x, y } = input.parse(given);
  return x + y;
};
export const sumIn = (result) => result;
