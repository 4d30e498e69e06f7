/** The doctor's text on terminals of every width. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { doctorText } from "../../../src/doctor/doctor-report.js";
import { bad, type Finding, note, ok } from "../../../src/doctor/finding.js";
import { readHostFacts } from "../../../src/platform/machine/host-facts.js";
import { BARE_METAL_INTEL, filesOf } from "../platform/machines.js";

const host = readHostFacts(filesOf(BARE_METAL_INTEL), { node: "20", v8: "11" }, "x64");
const FINDINGS: readonly Finding[] = [
  {
    id: "a",
    title: "frequency governor",
    ...bad("powersave", "the clock rate follows the load", "Set it to performance."),
  },
  { id: "b", title: "SMT", ...note("on", "two CPUs share one core", null) },
  { id: "c", title: "clock", ...ok("tsc") },
];

for (const columns of [1, 5, 20, 31, 40, 60, 80, 110])
  void test(`on ${columns} columns every word of the findings is there once, and a line is longer only for a long word`, () => {
    const text = doctorText(host, FINDINGS, { colour: false, columns });
    for (const { what, cost, remedy } of FINDINGS)
      for (const part of [what, cost, remedy])
        if (part !== null)
          assert.match(
            text,
            new RegExp(
              part
                .split(" ")
                .map((word) => word.replace(".", "\\."))
                .join("\\s+"),
              "u",
            ),
          );
    const body = text
      .split("\n")
      .slice(2, -3)
      .filter((line) => !/^[✗!✓]/u.test(line));
    for (const line of body)
      assert.ok(line.length <= Math.max(columns, 10 + "performance.".length), `${line.length}: "${line}"`);
  });

void test("below 30 columns of text, the text stands under its title and not in a column of its own", () => {
  const lines = doctorText(host, FINDINGS, { colour: false, columns: 50 }).split("\n");
  assert.deepEqual(lines.slice(2, 4), ["✗ bad   frequency governor", "  powersave"]);
});
