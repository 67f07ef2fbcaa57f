// One turn of an agent: lines of JSON in, lines of JSON out. `crash` as the text shows what a crash does.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const say = (line) => console.log(JSON.stringify(line));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => {
  const { done, value } = await lines.next();
  return done ? { type: 'cancel' } : JSON.parse(value);
};

const { message, attempt } = await hear();
const text = message.parts
  .map((part) => part.text ?? '')
  .join(' ')
  .trim();

if (text === '') {
  say({ type: 'input-required', text: 'Which text shall I count?' });
  process.exit();
}
if (text === 'crash' && attempt === 1) {
  console.error('out of paper');
  process.exit(1);
}

// Whatever is heard from here on is the wish to stop.
let isStopped = false;
void hear().then(() => (isStopped = true));

const words = text.split(/\s+/);
for (const [at, word] of words.entries()) {
  if (isStopped) process.exit();
  say({ type: 'working', text: `${at + 1} of ${words.length}` });
  say({ type: 'artifact', name: 'words', text: word, append: true, lastChunk: at + 1 === words.length });
  await delay(100);
}
say({ type: 'completed', text: `${words.length} words` });
process.exit();
