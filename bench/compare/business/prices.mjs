const PRICES = { tea: 250, mug: 900 };

/** In cents. */
export const priceOf = (product) => PRICES[product];
