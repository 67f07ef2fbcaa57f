/** As much of Express as a test server needs; it comes without types. */
declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  namespace express {
    type Request = IncomingMessage & { body?: unknown };
    type RequestHandler = (request: Request, response: ServerResponse, next: () => void) => void;
    type Application = {
      use(...handlers: readonly (string | RequestHandler)[]): void;
      listen(port: number, host: string): Server;
    };
    function json(): RequestHandler;
  }
  function express(): express.Application;
  export = express;
}
