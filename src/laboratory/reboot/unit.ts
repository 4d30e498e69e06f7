/** The one systemd unit that goes on with an experiment after each boot: its text, and how it comes and goes. Pure. */
import { running, type Step } from "./steps.js";

/** A command as a process was started with it. */
export interface Continuation {
  /** Program first, absolute. */
  readonly command: readonly string[];
  /** Working directory: relative paths mean the same after a boot. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** There is one of it on a machine, so that two experiments never boot it in turn. */
export const UNIT_NAME = "schbench-ts-reboot.service";
const FOLDER = "/etc/systemd/system";
/** Where it lies. */
export const UNIT_FILE = `${FOLDER}/${UNIT_NAME}`;
/** The link that has it started at boot. */
export const UNIT_LINK = `${FOLDER}/multi-user.target.wants/${UNIT_NAME}`;

/** Restarts within an hour after which a process that is killed again and again is left alone. */
const MOST_RESTARTS = 3;

const ESCAPES: Readonly<Record<string, string>> = { "\n": String.raw`\n`, "\t": String.raw`\t`, "\r": String.raw`\r` };

/** A word as systemd reads it back: C escapes in double quotes, and its specifiers taken literally (systemd.syntax(7)). */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["\\]/gu, String.raw`\$&`)
    .replaceAll(/[\n\t\r]/gu, (character) => ESCAPES[character] ?? character)
    .replaceAll("%", "%%")}"`;

/** The same on a command line, where a dollar sign names a variable, too (systemd.service(5)). */
const quotedArgument = (word: string): string => quoted(word).replaceAll("$", "$$$$");

/** A path as a setting that takes one, or several with blanks between. */
const pathSetting = (path: string): string => path.replaceAll("%", "%%");

const FOR_STORE = "# Goes on with the experiment in ";

/** The store of the experiment that a unit goes on with; null: the text is none of ours. */
export const storeOfUnit = (text: string): string | null =>
  text
    .split("\n")
    .find((line) => line.startsWith(FOR_STORE))
    ?.slice(FOR_STORE.length) ?? null;

/** The text of the unit. */
export const unitText = (store: string, { command, folder, env }: Continuation): string =>
  `${FOR_STORE}${store}
# Made by schbench-ts ab --reboot, which takes it away at the end. To stop: systemctl disable --now ${UNIT_NAME}
[Unit]
Description=schbench-ts experiment that goes on after each boot
RequiresMountsFor=${[...new Set([store, folder])].map(quoted).join(" ")}
After=multi-user.target
StartLimitIntervalSec=3600
StartLimitBurst=${MOST_RESTARTS}

[Service]
Type=exec
ExecStart=${command.map(quotedArgument).join(" ")}
WorkingDirectory=${pathSetting(folder)}
${Object.entries(env)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
  .join("\n")}
Restart=on-abnormal
RestartSec=10
TasksMax=infinity
KillMode=mixed
TimeoutStopSec=60

[Install]
WantedBy=multi-user.target
`;

/** Puts the unit there, so that it starts with every boot from now on. */
export const installSteps = (store: string, continuation: Continuation): readonly Step[] => [
  { kind: "write", path: UNIT_FILE, text: unitText(store, continuation) },
  running("systemctl", "daemon-reload"),
  running("systemctl", "enable", UNIT_NAME),
  // The link is systemd's, and is to outlast a power loss.
  running("sync"),
];

/** Takes it away. The file goes first: a link to nothing starts nothing. */
export const removeSteps: readonly Step[] = [
  { kind: "remove", path: UNIT_FILE },
  { kind: "remove", path: UNIT_LINK },
  running("systemctl", "daemon-reload"),
];
