import {
  type MethodDefinition,
  type ServerInterceptor,
  ServerInterceptingCall,
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

/** Refuses those requests, in the words of the protocol, before the service sees them. */
export const refuseMalformed: ServerInterceptor = (_method, call) => {
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
};
