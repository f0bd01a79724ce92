/**
 * The validator library, loaded for the first schema that needs it: most never do, and it is large. CommonJS, since only that can wait without a promise, on every runtime and in every bundler.
 */
module.exports = () => require('ata-validator');
