type State = readonly [name: string, cities: readonly string[]];

/** States by ISO code of their country, with a few cities each. */
export const STATES: Readonly<Record<string, readonly State[]>> = {
	US: [
		['Alabama', ['Birmingham', 'Montgomery']],
		['Arizona', ['Phoenix', 'Tucson']],
		['California', ['Los Angeles', 'San Diego', 'San Francisco']],
		['Colorado', ['Boulder', 'Denver']],
		['Florida', ['Miami', 'Orlando', 'Tampa']],
		['Georgia', ['Atlanta', 'Savannah']],
		['Illinois', ['Chicago', 'Springfield']],
		['Massachusetts', ['Boston', 'Cambridge']],
		['New York', ['Albany', 'Buffalo', 'New York City']],
		['Oregon', ['Eugene', 'Portland']],
		['Texas', ['Austin', 'Dallas', 'Houston']],
		['Washington', ['Seattle', 'Spokane']],
	],
	IN: [
		['Delhi', ['New Delhi']],
		['Gujarat', ['Ahmedabad', 'Surat', 'Vadodara']],
		['Karnataka', ['Bengaluru', 'Mysuru']],
		['Kerala', ['Kochi', 'Thiruvananthapuram']],
		['Maharashtra', ['Mumbai', 'Nagpur', 'Pune']],
		['Rajasthan', ['Jaipur', 'Udaipur']],
		['Tamil Nadu', ['Chennai', 'Coimbatore']],
		['Uttar Pradesh', ['Kanpur', 'Lucknow']],
	],
	DE: [
		['Baden-Württemberg', ['Freiburg im Breisgau', 'Stuttgart']],
		['Bavaria', ['Munich', 'Nuremberg']],
		['Berlin', ['Berlin']],
		['Hamburg', ['Hamburg']],
		['Hesse', ['Frankfurt am Main', 'Wiesbaden']],
		['North Rhine-Westphalia', ['Cologne', 'Düsseldorf']],
		['Saxony', ['Dresden', 'Leipzig']],
	],
	CA: [
		['Alberta', ['Calgary', 'Edmonton']],
		['British Columbia', ['Vancouver', 'Victoria']],
		['Manitoba', ['Winnipeg']],
		['Nova Scotia', ['Halifax']],
		['Ontario', ['Ottawa', 'Toronto']],
		['Quebec', ['Montreal', 'Quebec City']],
	],
};
