import {
  type MethodDefinition,
  type ServerInterceptor,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  ServerListenerBuilder,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { notTheMessage } from './grpc-method';
import { toStatus } from './grpc-status';

/** Stands for a request that cannot be read as the message of its method. */
class Malformed {}

/** The same service, where what cannot be read is not for the transport to refuse, which would call it a fault of ours. */
export const tolerant = (definition: ServiceDefinition): ServiceDefinition =>
  Object.fromEntries(Object.entries(definition).map(([name, method]) => [name, tolerantMethod(method)]));

function tolerantMethod<Request, Response>(method: MethodDefinition<Request, Response>) {
  return {
    ...method,
    requestDeserialize(bytes: Buffer): Request | Malformed {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return new Malformed();
      }
    },
  };
}

/** Health and reflection are of gRPC itself. */
const IS_OF_GRPC = /^\/grpc\./;

/**
 * Refuses those requests, in the words of the protocol, before the service sees them. Calls of A2A pass as they are:
 * they are refused by their own methods, and one that is not read is cut at the stream beneath it.
 */
export const refuseMalformed: ServerInterceptor = ({ path }, call) =>
  IS_OF_GRPC.test(path) ? refusing(call) : (call as ServerInterceptingCall); // any call will do where nothing is added

function refusing(call: ServerInterceptingCallInterface): ServerInterceptingCall {
  const intercepted: ServerInterceptingCall = new ServerInterceptingCall(call, {
    start: (next) =>
      next(
        new ServerListenerBuilder()
          .withOnReceiveMessage((message: unknown, pass) => {
            if (message instanceof Malformed) intercepted.sendStatus(toStatus(notTheMessage()));
            else pass(message);
          })
          .build(),
      ),
  });
  return intercepted;
}
