// Outside of Jest's modules, where this file has the name.
const fc = globalThis.loadOnce('fast-check');

/** The same cases for each mutant, at most a hundred of them, and no search for the smallest one that fails. */
fc.configureGlobal({ seed: 20, endOnFailure: true });
const atMost = ({ numRuns = 100, ...rest } = {}) => ({ ...rest, numRuns: Math.min(numRuns, 100) });
const assert = (property, parameters) => fc.assert(property, atMost(parameters));

module.exports = { ...fc, assert, default: { ...fc.default, assert }, __esModule: true };
