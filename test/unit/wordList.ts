/** A word or phrase that the package does not use, what it says instead, and where it stands all right. */
export interface Banned {
	pattern: RegExp;
	say: string;
	/** Phrases with the word that are fine. */
	except?: RegExp;
}

/** What texts for people must not say. One word for one thing; what a native writer would say. */
export const banned: Banned[] = [
	{ pattern: /\bfor good\b/, say: 'permanently' },
	{ pattern: /\bwants\b/, say: 'requires' },
	{ pattern: /\b(?:comes?|came|coming) (?:back )?out\b/, say: 'returns, is returned' },
	{ pattern: /\bgives\b/, say: 'returns' },
	{
		pattern:
			/\blook(?:s|ed|ing)? (?:at|by|in|into|whether)\b|\b(?:an?|each|every|first|good|last|later|next|no|of|one|the|two) looks?\b/,
		say: 'poll (of the trigger), check (the service)',
		except: /\blook(?:s|ed|ing)? up\b/,
	},
	{
		pattern: /\b(?:tells|told)\b/,
		say: 'report, reported',
		except: /\b(?:tells the team|(?:team|CRM) is told|told apart)\b/,
	},
	{ pattern: /\ball the same\b/, say: 'anyway' },
	{ pattern: /\banew\b/, say: 'again' },
	{
		pattern: /\bblanks?\b/,
		say: 'a space; empty',
		except: /\b(?:built-in )?blank (?:design )?(?:template|one)s?\b|["_*]Blank["_*]|\bis_blank\b/,
	},
	{ pattern: /\bblanked\b/, say: 'cleared' },
	{ pattern: /\bcarr(?:y|ies|ied|ying)(?: it)? out\b/, say: 'succeeded, completed' },
	{ pattern: /\bpassing (?:reason|failure|fault|problem)s?\b/, say: 'temporary failure' },
	{ pattern: /\b(?:doubles|doubled)\b/, say: 'duplicates' },
	{ pattern: /\bstand-in\b|\bstands? in for\b/, say: 'mock service' },
	{
		pattern:
			/\b(?:activat|switch)(?:es?|ed|ing) (?:it |the workflow |your workflow |a workflow )on\b|\bactivat(?:es?|ed|ing) (?:the|your|a|this) workflow\b|\bswitch(?:es|ed|ing)? on (?:the|your|a|this) workflow\b/,
		say: 'publish',
	},
	{ pattern: /\bproblems? of its own\b/, say: 'temporarily unavailable' },
	{ pattern: /\bweakness(?:es)?\b/, say: 'vulnerability' },
	{ pattern: /\b(?:goes|go|went|gone|going) out\b/, say: 'is sent' },
	{ pattern: /\bcalled back\b/, say: 'recalled' },
	{ pattern: /(?<!\b(?:for|from|of|to|with) )\bwhom\b/, say: 'who, or a noun' },
	{ pattern: /\b(?:is|are) to (?:happen|look|be|have|do)\b/, say: 'should' },
	{ pattern: /\bperhaps\b/, say: 'possibly' },
	{ pattern: /\banswers? of the service\b/, say: 'response' },
	{ pattern: /\bbrakes?\b/, say: 'deletion limit' },
	{ pattern: /\brequests at a time\b/, say: 'parallel requests' },
	{ pattern: /\brecognis/, say: 'recogniz…: American spelling' },
	{ pattern: /\bas (?:it|they) stands?\b/, say: 'unchanged' },
	{ pattern: /\bin percent of\b/, say: 'as a percentage of' },
	{ pattern: /\banswered with\b/, say: 'returned, the response' },
	{
		pattern: /(?:^|[.!?] )only (?:if|when|after|once) [^,.;:]+, /,
		say: '"only if" after the verb: at the beginning, it inverts the sentence',
		except: /\bonly (?:if|when|after|once) [^,.;:]+ (?:is|are|do|does|will|can) (?:the|it|they)\b/,
	},
	{
		pattern: /\b(?:colour|behaviour|catalogue|organis|summaris|normalis|favour)/,
		say: 'American spelling',
	},
];

/** @returns what each banned word in the text should be */
export function wordProblems(text: string): string[] {
	return banned.flatMap(({ pattern, say, except }) => {
		const rest = except ? text.replace(new RegExp(except, 'gi'), '') : text;
		const [found] = new RegExp(pattern, 'i').exec(rest) ?? [];
		return found === undefined ? [] : [`"${found}": say "${say}"`];
	});
}
