import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseCommandLine } from "../../src/options/line/command-line.js";
import { formatCgroupSettings } from "../../src/options/values/cgroup-language.js";
import { formatCpuList, parseCpuList } from "../../src/options/values/cpu-list.js";
import { optionWords } from "../../src/options/line/option-words.js";
import type { OptionSpec } from "../../src/options/line/option-table.js";
import { maxOf } from "../../src/options/line/option-value.js";
import { runArgv } from "../../src/options/run/run-argv.js";
import { resolveRun } from "../../src/options/run/run-options.js";
import { runOptions } from "../../src/options/run/run-table.js";
import { UserError } from "../../src/errors.js";
import { formatSchedAttributes } from "../../src/model/plan/sched-text.js";
import { formatWorkerGroup } from "../../src/options/values/worker-group.js";
import { groupArbitrary, schedArbitrary } from "../helpers/random-sched.js";
import { GRANTS_ALL } from "../helpers/fakes/grants-all.js";

const cpuIds = fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 20 });

const count = (min: number, max: number) => fc.integer({ min, max }).map(String);

type Value = boolean | number | string | readonly number[] | object;

const asItStands = (text: string) => ({ text, value: text });

/** Any valid value of an option that takes one: its text, and what is to come of it. */
const valueText = (spec: OptionSpec): fc.Arbitrary<{ text: string; value: Value }> => {
  if (spec.kind === "choice") return fc.constantFrom(...spec.choices).map(asItStands);
  if (spec.kind === "cpus") {
    const lists = cpuIds.map((cpus) => ({ text: formatCpuList(cpus), value: cpus.toSorted((a, b) => a - b) }));
    return "auto" in spec ? fc.oneof(lists, fc.constant("auto").map(asItStands)) : lists;
  }
  if (spec.kind === "sched") return schedArbitrary.map((value) => ({ text: formatSchedAttributes(value), value }));
  if (spec.kind === "group") return groupArbitrary(9).map((value) => ({ text: formatWorkerGroup(value), value }));
  if (spec.kind === "cgroup")
    return fc
      .constantFrom({ weight: 5 }, { idle: true as const, cpus: [0, 2] })
      .map((value) => ({ text: formatCgroupSettings(value), value }));
  if ("min" in spec)
    return fc
      .maxSafeInteger()
      .map((n) => spec.min + (Math.abs(n) % (maxOf(spec) - spec.min + 1)))
      .map((value) => ({ text: String(value), value }));
  return fc.string({ minLength: 1 }).map(asItStands);
};

interface Written {
  readonly id: string;
  readonly words: readonly string[];
  readonly value: Value | readonly Value[];
}

/** The value of an option that may be repeated is a list. */
const inTable = (spec: OptionSpec, value: Value): Written["value"] =>
  "repeated" in spec && spec.repeated ? [value] : value;

/** An option with its value in one of the ways to write it. */
const written = (spec: OptionSpec): fc.Arbitrary<Written> => {
  const { id } = spec;
  const longs = spec.long.map((long) => `--${long}`);
  const short = spec.short === undefined ? [] : [`-${spec.short}`];
  if (spec.kind === "flag")
    return fc.constantFrom(...longs, ...short).map((spelling) => ({ id, words: [spelling], value: true }));
  const joined = fc
    .tuple(fc.constantFrom(...longs.map((long) => `${long}=`), ...short), valueText(spec))
    .map(([spelling, { text, value }]) => ({ id, words: [spelling + text], value: inTable(spec, value) }));
  const separate = fc
    .tuple(fc.constantFrom(...longs, ...short), valueText(spec))
    .filter(([, { text }]) => "min" in spec || !text.startsWith("-"))
    .map(([spelling, { text, value }]) => ({ id, words: [spelling, text], value: inTable(spec, value) }));
  return fc.oneof(joined, separate);
};

const commandLines = fc
  .shuffledSubarray([...runOptions])
  .chain((specs) => fc.tuple(...specs.map((spec) => written(spec))));

void test("a CPU list reads back as the CPUs it was written for", () => {
  fc.assert(
    fc.property(cpuIds, (cpus) => {
      assert.deepEqual(
        parseCpuList(formatCpuList(cpus)),
        cpus.toSorted((a, b) => a - b),
      );
    }),
  );
});

void test("the words of parsed options parse to the same options", () => {
  fc.assert(
    fc.property(commandLines, (parts) => {
      const { options } = parseCommandLine(
        parts.flatMap(({ words }) => words),
        runOptions,
      );
      assert.deepEqual(parseCommandLine(optionWords(runOptions, options), runOptions).options, options);
    }),
  );
});

void test("every way to write valid options gives their values, in any order of the options", () => {
  fc.assert(
    fc.property(commandLines, (parts) => {
      const parsed = parseCommandLine(
        parts.flatMap(({ words }) => words),
        runOptions,
      );
      const found = new Map<string, unknown>(Object.entries(parsed.options));
      for (const { id, value } of parts) assert.deepEqual(found.get(id), value);
      assert.deepEqual(
        [...parsed.given],
        parts.map(({ id }) => id),
      );
      assert.deepEqual(parsed.positionals, []);
      assert.deepEqual([...found.keys()].toSorted(), runOptions.map(({ id }) => id).toSorted());
    }),
  );
});

void test("any words at all give values or an error for the user, never another exception", () => {
  const word = fc.oneof(fc.string(), fc.constantFrom("-m", "-CL", "--json", "-i", "--", "-", "--split=", "-F"));
  fc.assert(
    fc.property(fc.array(word), (argv) => {
      try {
        parseCommandLine(argv, runOptions);
      } catch (error) {
        assert.ok(error instanceof UserError, String(error));
        assert.doesNotMatch(error.message.replace(/".*"/s, ""), /undefined|NaN|null/);
      }
    }),
  );
});

void test("a plan that a command line asks for is asked for again by the command line of the plan", () => {
  const allowedCpus = [0, 1, 2, 3, 64, 1024, 4999];
  const cpus = fc.subarray(allowedCpus, { minLength: 1 }).map(formatCpuList);
  const values = fc.record(
    {
      "-m": count(1, 6),
      "-t": count(1, 300),
      "-M": fc.oneof(cpus, fc.constant("auto")),
      "-W": fc.oneof(cpus, fc.constant("auto")),
      "-F": count(0, 100_000),
      "-n": count(0, 1000),
      "-s": count(0, 1_000_000),
      "--split": count(0, 100),
      "-p": count(0, 2_000_000),
      "-R": count(0, 1_000_000),
      "-A": count(1, 100),
      "--pacing": fc.constantFrom("paced", "burst"),
      "-r": count(0, 5_000_000_000),
      "-w": count(0, 40),
      "-i": count(-2, 40),
      "-z": count(0, 40),
      "--break": count(1, 5000),
      "--worker-sched": schedArbitrary.map(formatSchedAttributes),
      "--message-sched": schedArbitrary.map(formatSchedAttributes),
      "--worker-group": groupArbitrary(3).map(formatWorkerGroup),
      "--engine": fc.constantFrom("auto", "native", "v8"),
      "--load": fc.constantFrom("none", "spin:3", "duty:2:5/10", "wake:1", "memory:2", "sh -c 'exit 3'", "sleep 9"),
    },
    { requiredKeys: [] },
  );
  const flags = fc.subarray(["-L", "-C", "--explain"]);
  const planOf = (argv: readonly string[]) => {
    try {
      return resolveRun(parseCommandLine(argv, runOptions).options, {
        allowedCpus,
        refusalOf: () => null,
        ...GRANTS_ALL,
      }).plan;
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      return null;
    }
  };
  let plans = 0;
  fc.assert(
    fc.property(values, flags, (given, switches) => {
      const plan = planOf([...Object.entries(given).flat(), ...switches]);
      if (plan === null) return;
      plans++;
      assert.deepEqual(planOf(runArgv(plan)), plan);
    }),
    { numRuns: 2000 },
  );
  assert.ok(plans > 200, `only ${plans} of the command lines were valid`);
});
