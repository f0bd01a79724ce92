import type { Behaviour } from '../every-wire.ts';
import { answers } from './answers.ts';

const sum = { send: { arguments: { x: 1, y: 2 } }, answer: answers({ result: 3 }) };

export const names: readonly Behaviour[] = [
  { title: 'by operationId', proves: ['name.operation-id'], app: 'calculator', function: 'functions.Add', ...sum },
  {
    title: 'by its portable name under spec',
    proves: ['name.alias'],
    app: 'calculator',
    function: 'functions_Add',
    ...sum,
  },
  { title: 'by its portable name', proves: ['name.portable'], app: 'portable', function: 'functions_Add', ...sum },
  {
    title: 'by its spec name under portable',
    proves: ['name.alias'],
    app: 'portable',
    function: 'functions.Add',
    ...sum,
  },
  { title: 'by a given operationId', proves: ['name.operation-id'], app: 'portable', function: 'math.plus', ...sum },
  {
    title: 'by a given operationId, made portable',
    proves: ['name.portable'],
    app: 'portable',
    function: 'math_plus',
    ...sum,
  },
  {
    title: 'by plain name, independent of the operationId',
    proves: ['name.path'],
    app: 'portable',
    function: 'Plus',
    ...sum,
  },
];
