/** The list of percentiles, and what follows from it. */
import assert from "node:assert/strict";
import test from "node:test";
import { expectLatency } from "../../../../src/index.js";
import { distributionOf, percentileIn, rowsIn } from "../../../../src/model/metrics/distribution.js";
import { METRICS } from "../../../../src/model/metrics/metrics.js";
import { hiddenIn, PERCENTILES, rowsOf, starredIn } from "../../../../src/model/metrics/percentile-table.js";
import { parseOutput } from "../../../../src/parse/parse-output.js";
import { histogramOf } from "../../../../src/stats/histogram/plat.js";
import { finalReport } from "../../../../src/text/schbench-text.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const FOUR_HUNDRED = distributionOf(histogramOf(Array.from({ length: 400 }, (_, i) => i + 1)), "usec");
/** As an older version would have stored it, whose list was shorter. */
const OLDER = FOUR_HUNDRED === null ? null : { ...FOUR_HUNDRED, percentiles: FOUR_HUNDRED.percentiles.slice(0, 2) };

test("the text tables show the rows of schbench, and star the ones it stars", () => {
  assert.deepEqual(
    (["wakeup", "request", "rps", "pipe", "response"] as const).map((table) => [
      table,
      rowsOf(table),
      starredIn(table),
    ]),
    [
      ["wakeup", [50, 90, 99, 99.9], [99]],
      ["request", [50, 90, 99, 99.9], [99]],
      ["rps", [20, 50, 90], [50]],
      ["pipe", [20, 50, 90, 99, 99.9], [99]],
      ["response", [50, 90, 99, 99.9], [99]],
    ],
  );
  for (const table of ["wakeup", "rps"] as const)
    assert.deepEqual(
      [...rowsOf(table), ...hiddenIn(table)].toSorted((a, b) => a - b),
      PERCENTILES,
    );
});

test("the list ascends, and each percentile of a run's metrics is in it", () => {
  assert.deepEqual(
    PERCENTILES,
    PERCENTILES.toSorted((a, b) => a - b),
  );
  for (const { source } of METRICS)
    assert.ok(source === null || PERCENTILES.some((percentile) => percentile === source.percentile));
});

test("a percentile is asked of the buckets where a result's rows lack it", () => {
  assert.deepEqual(
    [20, 50, 99, 99.5].map((percentile) => percentileIn(OLDER, percentile)),
    [80, 200, 396, 398],
  );
  assert.equal(
    percentileIn(OLDER === null ? null : { ...OLDER, buckets: null }, 99),
    null,
    "a table has only its rows",
  );
  assert.deepEqual(OLDER === null ? null : rowsIn(OLDER), FOUR_HUNDRED?.percentiles);
});

test("a result of an older list is printed with today's rows, and today's text is read again", () => {
  const text = finalReport(
    fakeResult({ averageRps: 40, rps: [40] }, { wakeup: OLDER, request: OLDER, runtimeSec: 10 }),
  );
  assert.equal(
    text,
    finalReport(
      fakeResult({ averageRps: 40, rps: [40] }, { wakeup: FOUR_HUNDRED, request: FOUR_HUNDRED, runtimeSec: 10 }),
    ),
  );
  const [read] = parseOutput(text, { file: "f" });
  assert.deepEqual(
    read?.wakeup?.percentiles.map(({ percentile }) => percentile),
    rowsOf("wakeup"),
  );
});

test("expectLatency has a name for each percentile of the list", () => {
  const { wakeup } = expectLatency({ wakeup: FOUR_HUNDRED });
  for (const percentile of PERCENTILES)
    assert.ok(Object.keys(wakeup).includes(`p${String(percentile).replace(".", "")}`), `${percentile}`);
  assert.deepEqual(
    [wakeup.p20, wakeup.p50, wakeup.p999].map(({ usec }) => usec),
    [80, 200, 400],
  );
});
