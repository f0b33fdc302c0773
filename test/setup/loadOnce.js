/** Puts what Node has loaded in place of a package, so that it is loaded once in a worker, not for each test file. */
module.exports = {
	process: (_text, file) => ({ code: `module.exports = loadOnce(${JSON.stringify(file)});` }),
};
