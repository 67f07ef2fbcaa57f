export { type ApiKeyEntry, ApiKeys, newApiKey } from './api-keys';
export { DeploymentKeys, type SignatureHeader } from './deployment-keys';
export { KeyFileError, SealError } from './errors';
export { formatKeyFile, type KeySet, parseKeyFile, withNewKeys } from './key-file';
export { isPrincipal, PRINCIPAL_RULE } from './principals';
export { createKeys, readKeys, retireKeys, rotateKeys } from './stored-keys';
