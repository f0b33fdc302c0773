import { type Findings, findings } from './findings.ts';

interface Section {
	/** "Unreleased", or a version. */
	name: string;
	/** What stands behind the name, such as a date. */
	rest: string;
	body: string;
}

/** The sections of a changelog in the format of Keep a Changelog: `## [1.2.3] - 2026-01-31`. */
function sectionsOf(text: string): Section[] {
	return text
		.split(/^## /m)
		.slice(1)
		.map((section) => {
			const [heading = '', ...lines] = section.split('\n');
			const [, name = '', rest = ''] = /^\[?([^\]\s]+)\]?(.*)$/.exec(heading) ?? [];
			return { name, rest: rest.trim(), body: lines.join('\n').trim() };
		});
}

function isDate(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function dateProblem(rest: string, today: string): string | undefined {
	const [, date] = /^- (\d{4}-\d{2}-\d{2})$/.exec(rest) ?? [];
	if (date === undefined || !isDate(date)) return 'has no date such as "- 2026-01-31" behind it';
	return date > today ? `has a date in the future, ${date}` : undefined;
}

const isUnreleased = ({ name }: Section) => name === 'Unreleased';

/**
 * Whether the changelog is ready for the release of `version`.
 *
 * @param today as `2026-01-31`
 */
export function checkChangelog(text: string, version: string, today: string): Findings {
	const sections = sectionsOf(text);
	const unreleased = sections.find(isUnreleased);
	const newest = sections.find((section) => !isUnreleased(section));
	const entries = unreleased?.body ?? '';
	const heading = `"## [${version}] - ${today}"`;

	if (newest?.name !== version) {
		const missing = `CHANGELOG.md: the newest version is ${newest?.name ?? 'missing'}, and package.json has ${version}.`;
		if (entries === '') {
			return findings([`${missing} Describe the release under a heading ${heading}.`]);
		}
		return findings([], [`CHANGELOG.md: change the heading "Unreleased" to ${heading}.`]);
	}
	const problems = [
		...(newest.body === '' ? [`CHANGELOG.md: nothing stands under ${version}.`] : []),
		...(entries === ''
			? []
			: [`CHANGELOG.md: move the entries under "Unreleased" to ${version}, or raise the version.`]),
	];
	const wrongDate = dateProblem(newest.rest, today);
	if (wrongDate === undefined) return findings(problems);
	const dated = `CHANGELOG.md: the heading of ${version} ${wrongDate}; make it ${heading}.`;
	// A heading without anything behind it is what a version has until it is released.
	return newest.rest === '' ? findings(problems, [dated]) : findings([...problems, dated]);
}

/** What the changelog says of a version, for the notes of its release. */
export const notesOf = (text: string, version: string): string =>
	sectionsOf(text).find(({ name }) => name === version)?.body ?? '';
