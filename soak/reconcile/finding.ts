/** Something that should not be, or that was to be expected without being anybody's mistake. */
export interface Finding {
	kind: 'lost' | 'doubled' | 'wrong' | 'expected';
	text: string;
}

export const lost = (text: string): Finding => ({ kind: 'lost', text });
export const doubled = (text: string): Finding => ({ kind: 'doubled', text });
export const wrong = (text: string): Finding => ({ kind: 'wrong', text });
export const expected = (text: string): Finding => ({ kind: 'expected', text });
