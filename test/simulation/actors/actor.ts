import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Random } from '../../../soak/random.ts';
import type { Workflow } from '../n8n.ts';
import type { Service } from '../service.ts';
import type { World } from '../world.ts';

export const minute = 60_000;

/** A workflow, and what it does to the service. */
export interface Actor extends Workflow {
	/** Its requests that change something, as `POST /contacts/add`, and what they depend on. */
	requests: readonly string[];
}

/** What an actor chooses by, and acts upon. */
export interface Surroundings {
	service: Service;
	world: World;
	random: Random;
}

export const itemOf = (json: IDataObject): INodeExecutionData => ({ json: structuredClone(json) });
