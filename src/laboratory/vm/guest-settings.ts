/** What a guest's first process reads before anything else: a file in its first root. Both ends are of one version. */
import { z } from "zod";

/** Where it lies. */
export const GUEST_SETTINGS_FILE = "/etc/schbench-ts-guest.json";

export const guestSettings = z.object({
  hostname: z.string(),
  /** The folder in which commands are run: relative paths mean the same as on the host. */
  folder: z.string(),
  path: z.string(),
  /** Serial port to the experiment. */
  port: z.string(),
});

export type GuestSettings = z.infer<typeof guestSettings>;
