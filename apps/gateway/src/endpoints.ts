import { CardEndpoint } from './cards/card-endpoint';
import { RpcEndpoint } from './json-rpc/rpc-endpoint';
import { PartEndpoint } from './parts/part-endpoint';
import { RestEndpoint } from './rest/rest-endpoint';

/** What answers clients over HTTP; each is made of the `Front`. */
export const ENDPOINTS = [RpcEndpoint, PartEndpoint, RestEndpoint, CardEndpoint] as const;
