// The server that the published SDK makes on express, as its documentation shows it. PORT, STORE and STORE_FILE say how.
import { DefaultRequestHandler } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { echo, waiter } from './agents.mjs';
import { openStore } from './store.mjs';

const { PORT, STORE, STORE_FILE } = process.env;
const store = openStore(STORE, STORE_FILE);
const app = express();

serve('echo', echo);
serve('waiter', waiter);
app.get('/readyz', (_request, response) => void response.json({ status: 'ok' }));
app.listen(Number(PORT), '127.0.0.1');

function serve(name, executor) {
  const path = `/agents/${name}`;
  const requestHandler = new DefaultRequestHandler(cardOf(name, path), store, executor);
  app.use(path, jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
}

function cardOf(name, path) {
  const url = `http://127.0.0.1:${PORT}${path}`;
  return {
    name,
    description: name,
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
  };
}
