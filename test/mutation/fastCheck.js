// Outside of Jest's modules, where this file has the name.
const fc = globalThis.loadOnce('fast-check');

/** The same cases for each mutant, at most 25 of them, and no search for the smallest one that fails. */
fc.configureGlobal({ seed: 20, endOnFailure: true });
const atMost = ({ numRuns = 25, ...rest } = {}) => ({ ...rest, numRuns: Math.min(numRuns, 25) });
const assert = (property, parameters) => fc.assert(property, atMost(parameters));

module.exports = { ...fc, assert, default: { ...fc.default, assert }, __esModule: true };
