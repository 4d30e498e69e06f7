import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { FAIL_ON, type Gate, type GateRow } from "../../../../src/compare/gate.js";
import { gateJunit } from "../../../../src/render/gate/junit.js";
import { gateTap } from "../../../../src/render/gate/tap.js";
import { strictXml, type XmlElement } from "../../../helpers/render/strict-xml.js";

const name = fc.oneof(
  fc.string(),
  fc.constantFrom("a#b", "x\n# ERROR", "- y", "<&>\"'", "\u0000\u001b[31m", "ok 1 z # SKIP"),
);

const row: fc.Arbitrary<GateRow> = fc.record({
  metric: fc.constantFrom("request-p99", "wakeup-p50"),
  label: name,
  base: name,
  candidate: name,
  cell: fc.option(name),
  status: fc.constantFrom("pass", "fail", "undecided"),
  direction: fc.constantFrom("better", "worse", null),
  ratio: fc.option(fc.record({ value: fc.constant(1.1), interval: fc.option(fc.constant({ low: 1, high: null })) })),
  adjustedP: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});

const gates: fc.Arbitrary<Gate> = fc.record({
  failOn: fc.constantFrom(...FAIL_ON),
  margin: fc.option(fc.constant(0.05)),
  outcome: fc.constantFrom("pass", "fail", "undecided"),
  rows: fc.array(row, { maxLength: 6 }),
});

/** What an element may be: a row of the schema. */
interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  /** Text between its tags. */
  readonly mixed: boolean;
}

const OUTCOME: Rule = { required: [], optional: ["type", "message"], children: [], mixed: true };

/**
 * The rules of the JUnit schema that Jenkins checks reports by (junit-10.xsd of its xUnit plugin), of the elements that are
 * used here. They are what other readers take, too.
 */
const RULES: Readonly<Record<string, Rule>> = {
  testsuites: {
    required: [],
    optional: ["name", "time", "tests", "failures", "errors"],
    children: ["testsuite"],
    mixed: false,
  },
  testsuite: {
    required: ["name", "tests", "failures", "errors"],
    optional: ["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
    children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
    mixed: false,
  },
  testcase: {
    required: ["name"],
    optional: ["time", "classname", "group"],
    children: [
      "skipped",
      "error",
      "failure",
      "rerunFailure",
      "rerunError",
      "flakyFailure",
      "flakyError",
      "system-out",
      "system-err",
    ],
    mixed: false,
  },
  skipped: OUTCOME,
  error: OUTCOME,
  failure: OUTCOME,
};

/** Seconds as the schema writes them. */
const TIME = /^(?:(?:[0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(?:\.[0-9]*)?$/u;

const faultsOf = (element: XmlElement): readonly string[] => {
  const rule = RULES[element.name];
  if (rule === undefined) return [`no element ${element.name}`];
  const given = [...element.attributes.keys()];
  return [
    ...rule.required.filter((attribute) => !given.includes(attribute)).map((one) => `${element.name} without ${one}`),
    ...given
      .filter((one) => !rule.required.includes(one) && !rule.optional.includes(one))
      .map((one) => `${element.name} with ${one}`),
    ...(TIME.test(element.attributes.get("time") ?? "") ? [] : [`time ${element.attributes.get("time")}`]),
    ...(rule.mixed || element.text.trim() === "" ? [] : [`text in ${element.name}`]),
    ...element.children.flatMap((child) => [
      ...(rule.children.includes(child.name) ? [] : [`${child.name} in ${element.name}`]),
      ...faultsOf(child),
    ]),
  ];
};

const numberOf = (element: XmlElement | undefined, attribute: string): number =>
  Number(element?.attributes.get(attribute) ?? Number.NaN);

void describe("the gate for CI", () => {
  void it("is JUnit XML by the schema, whatever the names are, and its counts are right", () => {
    fc.assert(
      fc.property(gates, (gate) => {
        const root = strictXml(gateJunit(gate));
        assert.deepEqual(faultsOf(root), []);
        const [suite] = root.children;
        const cases = suite?.children ?? [];
        const having = (outcome: string) => cases.filter(({ children }) => children[0]?.name === outcome).length;
        for (const counted of [root, suite]) {
          assert.equal(numberOf(counted, "tests"), gate.rows.length);
          assert.equal(numberOf(counted, "failures"), having("failure"));
          assert.equal(numberOf(counted, "errors"), having("error"));
        }
        assert.deepEqual(
          cases.map(({ children }) => children[0]?.name ?? "pass"),
          gate.rows.map(({ status }) => ({ pass: "pass", fail: "failure", undecided: "error" })[status]),
        );
      }),
    );
  });

  void it("knows a document that breaks the schema", () => {
    for (const [broken, fault] of [
      ["<testsuites><testcase name='a'/></testsuites>".replaceAll("'", '"'), "testcase in testsuites"],
      ['<testsuite name="a" tests="1" failures="0"/>', "testsuite without errors"],
      ['<testcase name="a" result="b"/>', "testcase with result"],
      ['<testcase name="a" time="1 s"/>', "time 1 s"],
    ] as const)
      assert.deepEqual(faultsOf(strictXml(broken)), [fault]);
    for (const broken of ["<a>", "<a></b>", '<a b="&"/>', "<a>&</a>", "<a/><b/>", '<a b="1" b="2"/>', "<a>\u0001</a>"])
      assert.throws(() => strictXml(broken));
  });

  void it("is KTAP as the kernel's own reader takes it, whatever the names are: no test is lost, none is taken for another", () => {
    // Documentation/dev-tools/ktap.rst, and the expressions of kunit_parser.py.
    const RESULT = /^(ok|not ok) ([0-9]+) (?:- )?([^#]*)( # .*)?$/u;
    fc.assert(
      fc.property(gates, (gate) => {
        const text = gateTap(gate);
        assert.match(text, /\n$/u);
        const [version, plan, ...rest] = text.slice(0, -1).split("\n");
        assert.equal(version, "KTAP version 1");
        assert.equal(plan, `1..${gate.rows.length}`);
        const results = rest.filter((line) => !line.startsWith("# "));
        const read = results.map((line) => RESULT.exec(line));
        assert.ok(!read.includes(null), results.join("\n"));
        assert.deepEqual(
          read.map((found) => [found?.[1], Number(found?.[2]), found?.[4]?.startsWith(" # ERROR ") === true]),
          gate.rows.map(({ status }, index) => [
            status === "pass" ? "ok" : "not ok",
            index + 1,
            status === "undecided",
          ]),
        );
        assert.ok(
          read.every((found) => (found?.[3] ?? "").trim() !== ""),
          "each has a name",
        );
        assert.ok(!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text.replaceAll("\n", "")), "no control character ends a line");
      }),
    );
  });
});
