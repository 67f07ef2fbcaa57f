import { CardsController } from './cards/cards.controller';
import { DueController } from './background/due.controller';
import { LegacyRestController } from './legacy/legacy-rest.controller';
import { PartsController } from './parts/parts.controller';
import { OpenApiController } from './openapi/openapi.controller';
import { RestController } from './rest/rest.controller';
import { RpcController } from './json-rpc/rpc.controller';

/** Everything that reaches the gateway: from clients, and from the broker. */
export const CONTROLLERS = [
  RpcController,
  CardsController,
  PartsController,
  OpenApiController,
  RestController,
  LegacyRestController,
  DueController,
];
