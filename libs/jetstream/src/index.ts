export { type Bucket, growReplicas, openBucket } from './bucket';
export { type Patience, patiently } from './patience';
export { ANSWER_TIMEOUT_MS, untilAnswered } from './until-answered';
export { isAnswer, isConflict, isConflictCode, isRefusal, REFUSAL } from './refusals';
