export { type Bucket, growReplicas, openBucket } from './bucket';
export { type Patience, patiently } from './patience';
export { SET_UP_TIMEOUT_MS, setUp } from './set-up';
export { isAnswer, isConflict, isConflictCode, isRefusal, REFUSAL } from './refusals';
