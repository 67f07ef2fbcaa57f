import { toLogged } from './logger';

describe('a logged error', () => {
  it('says what, where and why, and nothing of the request that it carries', () => {
    const cause = Object.assign(new TypeError('refused'), { config: { headers: { authorization: 'Bearer SECRET' } } });
    const error = Object.assign(new Error('no answer', { cause }), { request: 'SECRET' });
    const logged = toLogged(error);
    expect(logged).toMatchObject({
      type: 'Error',
      message: 'no answer',
      cause: { type: 'TypeError', message: 'refused' },
    });
    expect(JSON.stringify(logged)).not.toContain('SECRET');
    expect(JSON.stringify(logged)).toContain('logger.spec');
  });

  it('is short, whatever it quotes', () => {
    expect(JSON.stringify(toLogged(new Error('x'.repeat(1_000_000)))).length).toBeLessThan(20_000);
  });

  it.each([
    ['a string', 'mine', { message: 'mine' }],
    ['nothing', undefined, { message: 'undefined' }],
  ])('may be %s', (_, thrown, logged) => {
    expect(toLogged(thrown)).toEqual(logged);
  });
});
