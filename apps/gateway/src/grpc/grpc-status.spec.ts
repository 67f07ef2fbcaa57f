import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import { status } from '@grpc/grpc-js';
import { type ErrorName, ERRORS, InvalidParamsError, ProtocolError } from '@tidemark/protocol';
import { toStatus } from './grpc-status';

const detailsOf = (error: ProtocolError) =>
  decodeStatus(toStatus(error).metadata.get('grpc-status-details-bin')[0] as Buffer);
const names = Object.keys(ERRORS) as ErrorName[];

describe('an error over gRPC', () => {
  it.each(names)('%s has the status of the table, and says the rest in its details', (name) => {
    const error = new ProtocolError(name, { metadata: { key: 'ü' } });
    const { code, details } = toStatus(error);
    expect([status[code], details]).toEqual([ERRORS[name].grpc, error.message]);
    const told = detailsOf(error);
    expect(told).toMatchObject({
      code,
      message: error.message,
      details: [{ typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo' }],
    });
    expect(decodeErrorInfo(told.details[0]!.value)).toEqual({
      ...{ reason: ERRORS[name].reason, domain: 'a2a-protocol.org', metadata: { key: 'ü' } },
    });
  });

  it('names the fields that are to blame', () => {
    const { details } = detailsOf(new InvalidParamsError([{ field: 'a.b', description: 'must be c' }]));
    expect(details.map(({ typeUrl }) => typeUrl.split('.').at(-1))).toEqual(['ErrorInfo', 'BadRequest']);
    expect(Buffer.from(details[1]!.value).toString('hex')).toBe(
      `0a10${'0a03'}${Buffer.from('a.b').toString('hex')}1209${Buffer.from('must be c').toString('hex')}`,
    );
  });

  it('is never larger than trailers may be, and never without its code', () => {
    const violations = Array.from({ length: 20 }, () => ({ field: 'f'.repeat(259), description: 'd'.repeat(500) }));
    const many = toStatus(new InvalidParamsError(violations));
    expect((many.metadata.get('grpc-status-details-bin')[0] as Buffer).length).toBeLessThan(4_097);
    expect(detailsOf(new InvalidParamsError(violations)).details).toHaveLength(2);
    const long = new ProtocolError('UNSUPPORTED_OPERATION', {
      message: '\ud800😀'.repeat(9_000),
      metadata: { k: 'x'.repeat(9_000) },
    });
    expect(toStatus(long).code).toBe(status.FAILED_PRECONDITION);
    expect(() => encodeURI(toStatus(long).details)).not.toThrow();
    expect(toStatus(long).details.length).toBeLessThan(2_000);
    expect(detailsOf(long).details).toEqual([]);
  });
});
