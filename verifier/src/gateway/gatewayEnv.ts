import type { IncomingMessage, ServerResponse } from "node:http";

/** What each request carries through the routes. */
export interface GatewayEnv {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: {
    /** the session's address in lower case, if there is a session */
    address: string | undefined;
  };
}
