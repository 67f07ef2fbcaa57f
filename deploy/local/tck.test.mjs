import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { judge } from '../../test/tck/judge.mjs';
import { casesIn } from '../../test/tck/junit.mjs';
import { casesOf } from '../../test/tck/pytest.mjs';

const XML = `<testsuites><testsuite tests="4">
<testcase classname="tests.lists.TestPages" name="test_last[3-jsonrpc]" time="0.1" />
<testcase classname="tests.lists.TestPages" name="test_size" time="0.1"><failure message="assert 50 &lt;= 3&#10;and &quot;more&quot;">text</failure></testcase>
<testcase classname="tests.cards" name="test_card" time="0.1"><error message="no card">text</error></testcase>
<testcase classname="tests.cards" name="test_tls" time="0.1"><skipped type="pytest.skip" message="no TLS">text</skipped></testcase>
</testsuite></testsuites>`;

const SIZE = { kit: 'main', test: 'test_size', reason: 'counts what was returned' };
const CARD = { kit: 'main', test: 'cards::test_card', reason: 'wants another card' };

describe('the report of a kit', () => {
  it('is read case by case, with what each has come to and why', () => {
    assert.deepEqual(casesIn(XML), [
      { name: 'lists.TestPages::test_last[3-jsonrpc]', outcome: 'passed' },
      { name: 'lists.TestPages::test_size', outcome: 'failed', message: 'assert 50 <= 3\nand "more"' },
      { name: 'cards::test_card', outcome: 'failed', message: 'no card' },
      { name: 'cards::test_tls', outcome: 'skipped', message: 'no TLS' },
    ]);
  });
});

describe('the gate', () => {
  const gate = (options) => judge(casesIn(XML), { expected: 1, faults: [SIZE, CARD], ...options });

  it('is open where only known faults fail and the count is exact', () => {
    assert.deepEqual(gate({}), { passed: 1, failed: 0, skipped: 1, known: 2, problems: [] });
  });

  it('is closed by a failure that is not known', () => {
    const { failed, problems } = gate({ faults: [SIZE] });
    assert.deepEqual([failed, problems], [1, ['cards::test_card: no card']]);
  });

  it('is closed by any other count, also where nothing failed', () => {
    assert.deepEqual(gate({ expected: 2 }).problems, ['1 cases passed, and 2 were expected']);
    assert.match(gate({ expected: undefined }).problems[0], /no number/);
  });

  it('counts no case of a fault that comes and goes', () => {
    const race = { kit: 'main', test: 'test_last', isRace: true, reason: 'looks too early' };
    assert.deepEqual(gate({ faults: [SIZE, CARD, race], expected: 0 }).problems, []);
    assert.deepEqual(gate({ faults: [SIZE, race], expected: 0 }).problems, ['cards::test_card: no card']);
  });

  it('is closed by a known fault that is one no more', () => {
    const fixed = { kit: 'main', test: 'test_last', reason: 'was wrong once' };
    assert.match(gate({ faults: [SIZE, CARD, fixed] }).problems[0], /test_last passes now/);
  });
});

describe('a kit', () => {
  let dir;
  before(async () => (dir = await mkdtemp(join(tmpdir(), 'tidemark-kit-'))));
  after(() => rm(dir, { recursive: true, force: true }));

  const casesOfKit = async (script, limitMs) => {
    const python = join(dir, 'python');
    await writeFile(python, `#!/bin/sh\n${script}`, { mode: 0o700 });
    const what = { url: 'http://localhost:1', transports: ['jsonrpc'], select: [] };
    return casesOf({ dir, python, command: () => [] }, what, { report: join(dir, 'report.xml'), limitMs });
  };

  it('that hangs is ended, and told by the case in which it stood', async () => {
    const stands =
      'echo "tests/lists/test_pages.py::test_first PASSED"; echo "tests/lists/test_pages.py::test_last "; sleep 60';
    await assert.rejects(
      casesOfKit(stands, 200),
      /^Error: the kit was ended by SIGTERM .*: it stood in lists\/test_pages\.py::test_last$/,
    );
  });

  it('that gives up itself is told by that case, too', async () => {
    const givesUp = 'echo "tests/a.py::test_last[3-jsonrpc] "; echo "Timeout (0:01:30)!" >&2; exit 1';
    await assert.rejects(casesOfKit(givesUp), /^Error: a case took more than \d+ s: a\.py::test_last\[3-jsonrpc\]$/);
  });

  it('that cannot run is told by its last words, and by no report of an earlier run', async () => {
    await writeFile(join(dir, 'report.xml'), XML);
    await assert.rejects(casesOfKit('echo no module pytest; exit 4'), /the kit failed \(4\)\s+no module pytest/);
  });

  it('of which cases fail has run', async () => {
    const reporting = `for last; do :; done; echo '${XML}' > "\${last#--junitxml=}"; exit 1`;
    assert.equal((await casesOfKit(reporting)).length, 4);
  });
});
