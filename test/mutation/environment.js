const OneContext = require('../setup/environment.js');
const { mutantIsActive } = require('./active.js');

/** Skips the tests behind the first one that fails: it has killed the mutant. */
module.exports = class UntilKilled extends OneContext {
	async handleTestEvent({ name, test }, state) {
		if (name === 'test_done' && test.errors.length > 0 && mutantIsActive()) {
			state.testNamePattern = /(?!)/;
		}
	}
};
