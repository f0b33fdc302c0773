/**
 * Where the pages of this repository are online, with a slash at the end. `gulp build` writes it into the package if
 * package.json names a repository. Without one, errors name their page instead.
 */
export const docsAddress: string = '';
