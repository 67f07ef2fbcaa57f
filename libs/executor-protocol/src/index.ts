export { type GeneratedDocument, generatedDocuments } from './documents';
export { answer, enquiry } from './enquiry';
export { EVENT_SCHEMAS, violationsOf } from './events';
export { FILTER_HEADER, SEQUENCE_HEADER } from './headers';
export { type Rule, RULES } from './rules';
