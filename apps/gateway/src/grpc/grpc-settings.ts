import { portSetting } from '@tidemark/platform';
import { z } from 'zod';
import type { TlsFiles } from './grpc-credentials';

/** How gRPC is served. */
export type GrpcListen = {
  /** `host:port`; port 0 is any free one. */
  readonly bindAddress: string;
  /** Plaintext without. */
  readonly tls?: TlsFiles;
};

/** Settings of the gRPC side. */
export const grpcSettings = {
  GRPC: z.stringbool().default(true).describe('Serve gRPC, on a port of its own'),
  GRPC_PORT: portSetting(50_051).describe('TCP port of the gRPC server'),
  GRPC_PUBLIC_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d{1,5}$/, 'expected host:port')
    .optional()
    .describe('Where clients reach gRPC, as the agent cards say; HOST:GRPC_PORT where it is not set'),
  GRPC_TLS_CERT_FILE: z.string().optional().describe('Certificate of the gRPC server, as PEM; plaintext without'),
  GRPC_TLS_KEY_FILE: z.string().optional().describe('Key of that certificate, as PEM'),
};

type GrpcSettings = z.infer<z.ZodObject<typeof grpcSettings>>;

/** A certificate is of no use without its key, and the other way round. */
export const isTlsWhole = ({ GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE }: Partial<GrpcSettings>): boolean =>
  (GRPC_TLS_CERT_FILE === undefined) === (GRPC_TLS_KEY_FILE === undefined);

/** Nothing where gRPC is off. */
export function toGrpc(settings: GrpcSettings & { readonly HOST: string }): {
  readonly grpcAddress?: string;
  readonly grpc?: GrpcListen;
} {
  if (!settings.GRPC) return {};
  const bindAddress = `${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${settings.GRPC_PORT}`;
  const { GRPC_TLS_CERT_FILE: certificatePath, GRPC_TLS_KEY_FILE: keyPath } = settings;
  const tls = certificatePath !== undefined && keyPath !== undefined && { certificatePath, keyPath };
  return { grpcAddress: settings.GRPC_PUBLIC_ADDRESS ?? bindAddress, grpc: { bindAddress, ...(tls && { tls }) } };
}
