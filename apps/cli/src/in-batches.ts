const SIZE = 64;

/** Does something with each item, so many at once, whatever the number of items. */
export async function inBatches<T>(items: AsyncIterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < SIZE) continue;
    await Promise.all(batch.map(act));
    batch = [];
  }
  await Promise.all(batch.map(act));
}
