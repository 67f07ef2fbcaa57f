export { fromA2aJsExecutor } from './a2a-js-executor';
export { commandAgent, type CommandAgentOptions } from './command-agent';
export type { HeaderSource } from './guarded-fetch';
export { proxyAgent, type ProxyOptions } from './proxy-agent';
