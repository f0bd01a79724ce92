// The build replaces this file in dist with the package's version and the commit it was built from.
export const version: string = '0.0.0-source';
export const commit: string = 'source';
