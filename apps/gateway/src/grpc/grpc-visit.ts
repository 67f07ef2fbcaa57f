import type { Metadata } from '@grpc/grpc-js';
import type { Visit } from '../callers/visit';

type Asked = { readonly metadata: Metadata; readonly getPeer: () => string };

/** A call at the door: its metadata are its headers. What is binary is not for us. */
export const grpcVisit = (call: Asked, gone: AbortSignal): Visit => ({
  header: (name) => linesIn(call.metadata, name)?.join(','),
  lines: (name) => linesIn(call.metadata, name) ?? [],
  query: () => undefined,
  address: call.getPeer().replace(/:\d+$/, ''),
  gone,
});

function linesIn(metadata: Metadata, name: string): string[] | undefined {
  const values = metadata.get(name).filter((value) => typeof value === 'string');
  return values.length > 0 ? values : undefined;
}
