import { parseJson } from '@tidemark/protocol';
import type { FastifyRequest } from 'fastify';
import { assertPlain } from '../http/media-types';

const SPACE = 0x20;

/**
 * Clients of 0.3 send nothing, or null, where a request has no members.
 * @throws CONTENT_TYPE_NOT_SUPPORTED, PARSE_ERROR, InvalidParamsError
 */
export function bodyOf({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): unknown {
  if (!Buffer.isBuffer(body) || body.every((byte) => byte <= SPACE)) return {};
  assertPlain(headers);
  return parseJson(body) ?? {};
}
