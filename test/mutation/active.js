/** Whether Stryker runs the tests on a mutant, not on the code as it is. */
exports.mutantIsActive = () => process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;
