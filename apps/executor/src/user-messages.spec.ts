import { said } from '@tidemark/testing';
import { UserMessages } from './user-messages';

describe('messages of a user to a running turn', () => {
  it('count as seen once they are taken', async () => {
    const messages = new UserMessages(1);
    messages.hear({ version: 4, message: said('a') });
    expect(messages.seen).toBe(1);
    expect(await messages[Symbol.asyncIterator]().next()).toMatchObject({ value: { parts: [{ text: 'a' }] } });
    expect(messages.seen).toBe(4);
  });

  it('end with the turn', async () => {
    const messages = new UserMessages(1);
    const waiting = messages[Symbol.asyncIterator]().next();
    messages.close();
    expect(await waiting).toMatchObject({ done: true });
  });

  it('are not taken by one who has left while it waited', async () => {
    const messages = new UserMessages(1);
    const reader = messages[Symbol.asyncIterator]();
    const waiting = reader.next();
    await reader.return?.();
    messages.hear({ version: 4, message: said('a') });
    expect(await waiting).toMatchObject({ done: true });
    expect(messages.seen).toBe(1);
  });
});
