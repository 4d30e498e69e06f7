/** `--plan`: what an experiment at places would do, without doing any of it. */
import { resolve } from "node:path";
import { EXIT, type ExitCode, UserError } from "../../errors.js";
import { type Boot, bootsOf } from "../../experiment/boots.js";
import { counted } from "../../counted.js";
import type { PlacePlan } from "../../experiment/laboratory.js";
import type { ExperimentHeader } from "../../experiment/record.js";
import { secondsLeft } from "../../experiment/time-left.js";
import type { Subject } from "../../experiment/subject.js";
import { durationText } from "../../render/progress.js";
import { alignedRows } from "../../render/table.js";
import type { Io } from "../io/command.js";
import type { ExperimentWorld } from "../io/experiment-world.js";

const runsText = ({ slots }: Boot): string => {
  const warmUp = slots.filter(({ round }) => round < 1).length;
  const measured = counted(slots.length - warmUp, "run");
  return warmUp === 0 ? measured : `${counted(warmUp, "warm-up run")}, ${measured}`;
};

const bootLines = (boots: readonly Boot[], subjects: readonly Subject[]): readonly string[] =>
  alignedRows(
    boots.map((boot, index) => {
      const where = subjects.find(({ name }) => name === boot.subject)?.place;
      return [
        { text: String(index + 1), align: "right" },
        ...[boot.subject, `boot ${boot.boot}`, where === undefined ? "here" : where.kernel, runsText(boot)].map(
          (text) => ({ text }),
        ),
      ];
    }),
  );

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];

const unique = (plans: readonly PlacePlan[], part: (plan: PlacePlan) => readonly string[]): readonly string[] =>
  [...new Map(plans.map((plan) => [part(plan).join("\n"), part(plan)])).values()].flat();

/**
 * Shows the plan of an experiment.
 *
 * @param store the file that would keep the runs
 * @returns failure where it would be refused
 */
export const showPlan = async (
  header: ExperimentHeader,
  store: string | null,
  world: ExperimentWorld,
  io: Io,
): Promise<ExitCode> => {
  const keeping = { store: store === null ? null : resolve(store) };
  const plans: (PlacePlan & { readonly subject: string })[] = [];
  for (const subject of header.subjects)
    if (subject.place !== undefined)
      plans.push({ subject: subject.name, ...(await world.placeOf(subject.place, keeping).plan(subject)) });
  const boots = bootsOf(header);
  const slots = boots.flatMap((boot) => boot.slots);
  const runSec = secondsLeft(slots, header.cells, []);
  const time = runSec === null ? "" : `; the runs take about ${durationText(runSec)}, the boots come on top`;
  const lines = [
    "A plan: nothing was done.",
    ...section("boots, in this order", bootLines(boots, header.subjects)),
    ...section(
      "once, before the first boot",
      unique(plans, ({ once }) => once),
    ),
    ...plans.flatMap(({ subject, each }) => section(`for each boot of ${subject}`, each)),
    ...section(
      "at the end, or when it fails for good",
      unique(plans, ({ end }) => end),
    ),
    "",
    `${counted(boots.length, "boot")}, ${counted(slots.length, "run")}${time}`,
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
  const refusal = plans.find((plan) => plan.refusal !== null)?.refusal ?? null;
  if (refusal === null) return EXIT.ok;
  const remedy = refusal instanceof UserError ? refusal.remedy : undefined;
  io.stderr.write(`schbench-ts: it would not begin: ${refusal.message}\n${remedy === undefined ? "" : `${remedy}\n`}`);
  return EXIT.failure;
};
