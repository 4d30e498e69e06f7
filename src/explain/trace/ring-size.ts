/** How large the ring of each CPU is. */

const MAX_RING_KIB = 16_384;
const MIN_RING_KIB = 512;
const MAX_ALL_RINGS_KIB = 256 * 1024;
const SHARE_OF_AVAILABLE = 1 / 16;

/** The ring of each CPU: 16 MiB, less where all together would take over 256 MiB or a sixteenth of the free memory. */
export const ringKibPerCpu = (cpus: number, availableKib: number | null): number => {
  const all = Math.min(MAX_ALL_RINGS_KIB, (availableKib ?? Number.POSITIVE_INFINITY) * SHARE_OF_AVAILABLE);
  return Math.max(MIN_RING_KIB, Math.min(MAX_RING_KIB, Math.floor(all / cpus)));
};
