import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from '../../run/runContext';
import { conclude } from './conclusion';
import { countOnly, keyOf } from './observation';
import { isFieldName, sendProbe } from './sendProbe';
import type { Finding } from './sendProbe';
import { probes } from './probes';
import type { Probe } from './probes';

function rowOf({ probe, observation, ...finding }: Finding): IDataObject {
	const { result, message, bytes, milliseconds } = finding;
	return {
		type: 'request',
		name: probe.label,
		endpoint: `${probe.endpoint.method} ${probe.endpoint.path}`,
		...{ result, message, records: observation.records, bytes, milliseconds },
		unknownFields: observation.unknownFields.filter(isFieldName),
		missingFields: observation.missingFields,
	};
}

function notTested(probe: Probe, message: string): Finding {
	const observation = countOnly(0);
	return { probe, observation, result: 'notTested', message, bytes: 0, milliseconds: 0 };
}

async function tryProbe(run: RunContext, probe: Probe, earlier: Finding[]): Promise<Finding> {
	const { about } = probe;
	if (about === undefined) return await sendProbe(run.client, probe, {});
	const list = earlier.find((one) => one.probe.form === 'records' && one.probe.kind === about.kind);
	const key = list ? keyOf(list.observation, about.field) : '';
	if (key !== '') return await sendProbe(run.client, probe, { [about.parameter]: key });
	const wanted = list?.probe.label.toLowerCase() ?? '';
	const isRead = list?.result === 'works' || list?.result === 'empty';
	return notTested(
		probe,
		isRead
			? `Not tried: there are no ${wanted} to try it with.`
			: `Not tried, because the list of ${wanted} was not as expected.`,
	);
}

/**
 * Account: Check. Reads every list once, and one record of each kind; changes nothing. Requests are sent one after the
 * other, so that the measured times are those of the service.
 */
export async function checkAccount(run: RunContext): Promise<INodeExecutionData[]> {
	const findings: Finding[] = [];
	for (const probe of probes) {
		const [first] = findings;
		const isAway = first?.result === 'failed' || first?.result === 'refused';
		findings.push(
			isAway
				? notTested(probe, 'Not tried, because the first request failed.')
				: await tryProbe(run, probe, findings),
		);
	}
	const rows = findings.map(rowOf);
	const conclusion = conclude(findings, rows);
	run.showHint(conclusion.message, conclusion.result === 'fits' ? 'info' : 'warning');
	return [...rows, conclusion].map((json) => ({
		json,
		pairedItem: { item: run.firstIndex },
	}));
}
