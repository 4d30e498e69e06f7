import assert, { AssertionError } from "node:assert/strict";
import test from "node:test";
import { UsageError } from "../../../src/errors.js";
import { expectLatency } from "../../../src/library/expect-latency.js";
import type { Distribution } from "../../../src/model/result/run-result.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const failureOf = (check: () => unknown): AssertionError => {
  try {
    check();
  } catch (error) {
    assert.ok(error instanceof AssertionError, String(error));
    return error;
  }
  return assert.fail("it held");
};

const wakeups = [...Array.from({ length: 90 }, () => 5), ...Array.from({ length: 9 }, () => 40), 700];
const expectation = expectLatency(fakeResult({ wakeupUsec: wakeups, requestUsec: [1000] }));

test("limits that hold can follow each other", () => {
  expectation.wakeup.p99.above("39us").atLeast(40).atMost("40us").below("41us");
  expectation.wakeup.p999.atMost("1ms");
  expectation.wakeup.percentile(90).below("6us");
  expectation.wakeup.min.atLeast("5us");
  expectation.wakeup.max.below("1ms");
  expectation.request.p50.above("900us").below("1.1ms");
  assert.equal(expectation.wakeup.p20.usec, 5);
});

const LIMITS = [
  [() => expectation.wakeup.p99.below("40us"), "wakeup p99 is 40 us, expected below 40 us", "below"],
  [() => expectation.wakeup.p99.atMost(39.5), "wakeup p99 is 40 us, expected at most 39.5 us", "atMost"],
  [() => expectation.wakeup.p50.above("5us"), "wakeup p50 is 5 us, expected above 5 us", "above"],
  [() => expectation.wakeup.max.atLeast("2ms"), "wakeup max is 700 us, expected at least 2000 us", "atLeast"],
] as const;

for (const [check, firstLine, operator] of LIMITS)
  test(`the first line says it: ${firstLine}`, () => {
    const error = failureOf(check);
    assert.equal(error.message.split("\n")[0], firstLine);
    assert.equal(error.operator, operator);
  });

test("the message shows the distribution, the limit in its place, and the percentiles", () => {
  const { message, actual, expected, stack } = failureOf(() => expectation.wakeup.p99.below("20us"));
  assert.equal(
    message,
    [
      "wakeup p99 is 40 us, expected below 20 us",
      "  100 samples, us:",
      "     4 -    7 |######################################## 90",
      "     8 -   15 |                                         0",
      "    16 -   31 |                                         0  <- limit",
      "    32 -   63 |####                                     9",
      "    64 -  127 |                                         0",
      "   128 -  255 |                                         0",
      "   256 -  511 |                                         0",
      "   512 - 1023 |#                                        1",
      "  min 5  p20 5  p50 5  p90 5  p99 40  p99.9 700  max 700",
    ].join("\n"),
  );
  assert.deepEqual([actual, expected], [40, 20]);
  assert.match(stack?.split("\n").find((line) => line.includes(" at ")) ?? "", /expect-latency\.test/);
});

test("the longest distribution takes sixteen rows", () => {
  const wide = expectLatency(fakeResult({ wakeupUsec: [0, 1, 100_000_000] }));
  const { message } = failureOf(() => wide.wakeup.max.below("1us"));
  assert.equal(message.split("\n").filter((line) => line.includes("|")).length, 16);
  assert.match(message, /^ +16384 - 134217727 \|#+ +1$/m);
});

test("a latency that the result does not have fails by saying so", () => {
  const nothing = expectLatency(fakeResult({}, { wakeup: null }));
  assert.match(
    failureOf(() => nothing.wakeup.p99.below("1s")).message,
    /^wakeup p99 is not known: the result has no sample/,
  );
  assert.match(failureOf(() => nothing.response.p50.above(0)).message, /^response p50 is not known/);
  const table: Distribution = {
    unit: "usec",
    samples: null,
    min: null,
    max: null,
    percentiles: [{ percentile: 50, value: 3, samples: null }],
    buckets: null,
  };
  const only = expectLatency(fakeResult({}, { wakeup: table }));
  only.wakeup.p50.below(4);
  assert.match(
    failureOf(() => only.wakeup.p99.below(4)).message,
    /has only a table of other percentiles\n.*\n {2}min -  p50 3  max -$/,
  );
});

test("a limit or percentile that is none is the caller's mistake, not a failed assertion", () => {
  assert.throws(() => expectation.wakeup.p50.below(-1), UsageError);
  assert.throws(() => expectation.wakeup.percentile(101), UsageError);
});
