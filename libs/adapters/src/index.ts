export { fromA2aJsExecutor } from './a2a-js-executor';
export type { HeaderSource } from './guarded-fetch';
export { proxyAgent, type ProxyOptions } from './proxy-agent';
