import { answered, said } from '@tidemark/testing';
import { referencesIn } from './context-graph';

describe('referencesIn', () => {
  it('has every id once, in the order in which the user named them', () => {
    const messages = [
      { ...said('a'), referenceTaskIds: ['t-2', 't-1', 't-2'] },
      said('b'),
      { ...said('c'), referenceTaskIds: ['t-1', 't-3'] },
    ];
    expect(referencesIn(messages)).toEqual(['t-2', 't-1', 't-3']);
  });

  it('leaves out what an agent names', () => {
    expect(referencesIn([{ ...answered('a'), referenceTaskIds: ['t-1'] }])).toEqual([]);
  });
});
