import app from '../app.mjs';

export const call = (given) => app.call('Add', given);
export const sumIn = (outcome) => outcome.data;
