import { CardsController } from './cards.controller';
import { PartsController } from './parts.controller';
import { RpcController } from './rpc.controller';

/** All that answers HTTP here, besides health. */
export const CONTROLLERS = [RpcController, CardsController, PartsController];
