const { default: TestRunner } = require('jest-runner');

// All test files share one n8n and one sandbox, so they run one after the other.
module.exports = class SerialRunner extends TestRunner {
	isSerial = true;
};
