/** node client.mjs URL BINDING VERSION [CASE...] prints a line of JSON for each case. */
import { CASES } from './cases.mjs';
import { Sdk } from './sdk.mjs';

const [url, binding, version, ...names] = process.argv.slice(2);
const sdk = await Sdk.connect(url, binding, version);

for (const name of names) {
  const error = await CASES[name](sdk).then(
    () => undefined,
    (error) => error,
  );
  console.log(JSON.stringify({ case: name, passed: !error, ...(error && { detail: String(error) }) }));
}
process.exit(0);
