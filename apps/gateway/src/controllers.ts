import { CardsController } from './cards.controller';
import { DueController } from './due.controller';
import { PartsController } from './parts.controller';
import { RpcController } from './rpc.controller';

/** Everything that reaches the gateway: from clients, and from the broker. */
export const CONTROLLERS = [RpcController, CardsController, PartsController, DueController];
