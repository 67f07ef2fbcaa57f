import type { Run } from './operations-handler';

/** What of a request the translation of the SDK reads in another way. */
type Asked = { readonly historyLength?: number; readonly configuration?: Configuration };
/** As the message has it: with a member for each field. */
type Configuration = { readonly historyLength?: number; readonly blocking: boolean };

/**
 * Protocol buffers of 0.3 write a `historyLength` that is not set as 0. The SDK takes that of GetTask for a wish to see
 * none, and leaves out that of a configuration.
 */
export function readRequest(run: Run, { historyLength, configuration }: Asked): Run {
  const asked = historyLength || configuration?.historyLength || undefined;
  return (method, params) => {
    if (method === 'GetTask') return run(method, { ...toObject(params), historyLength: asked });
    if (!configuration || !('message' in toObject(params))) return run(method, params);
    const { configuration: read, ...rest } = toObject(params);
    return run(method, { ...rest, configuration: { ...toObject(read), historyLength: asked } });
  };
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
