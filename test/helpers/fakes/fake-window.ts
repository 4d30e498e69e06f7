/** What the threads did in a window, for tests: nothing, but for what the test says. */
import { byKind } from "../../../src/engine/memory/kinds.js";
import type { WindowStats } from "../../../src/engine/memory/snapshot.js";
import { histogramOf } from "../../../src/stats/histogram/plat.js";

/** One worker's window. */
export const windowStats = (more: Partial<WindowStats> = {}): WindowStats => ({
  ...byKind(() => histogramOf([])),
  lateness: histogramOf([]),
  loops: 0,
  loopsByWorker: [0],
  groups: [],
  sent: 0,
  dropped: 0,
  unsent: 0,
  ...more,
});
