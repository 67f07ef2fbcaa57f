import { CardEndpoint } from './cards/card-endpoint';
import { RpcEndpoint } from './json-rpc/rpc-endpoint';
import { PartEndpoint } from './parts/part-endpoint';

/** What answers clients over HTTP; each is made of the `Front`. */
export const ENDPOINTS = [RpcEndpoint, PartEndpoint, CardEndpoint] as const;
