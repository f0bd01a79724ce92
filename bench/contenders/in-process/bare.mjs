// The limit: nothing but the function.
export const call = ({ x, y }) => x + y;
export const sumIn = (result) => result;
