export { end as default } from './running.ts';
