import { CardEndpoint } from './cards/card-endpoint';
import { RpcEndpoint } from './json-rpc/rpc-endpoint';
import { PartEndpoint } from './parts/part-endpoint';

/** What is built on the front, and nothing else. */
export const ENDPOINTS = [RpcEndpoint, PartEndpoint, CardEndpoint];
