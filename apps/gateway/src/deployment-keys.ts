import type { Provider } from '@nestjs/common';
import { DeploymentKeys } from '@tidemark/keys';
import { refusing } from '@tidemark/platform';

/** Token of the `DeploymentKeys`; undefined where the deployment has none. */
export const KEYS = Symbol('KEYS');

/** @throws ConfigError at start, where the file is not what it must be. */
export const keysProvider = (path: string | undefined): Provider => ({
  provide: KEYS,
  useFactory: () => (path === undefined ? undefined : DeploymentKeys.load(path).catch(refusing('KEYS_FILE'))),
});
