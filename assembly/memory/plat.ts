/**
 * The latency histogram's arithmetic; the twin of src/stats/histogram/plat.ts, which explains it.
 *
 * Upstream counterpart: plat_val_to_idx, plat_idx_to_val.
 */
const PLAT_BITS: u32 = 8;
const PLAT_VAL: u32 = 1 << PLAT_BITS;
const PLAT_GROUP_NR: u32 = 19;
/** Number of buckets. */
export const PLAT_NR: u32 = PLAT_GROUP_NR * PLAT_VAL;

export function plat_val_to_idx(value: u32): u32 {
  const msb: u32 = value == 0 ? 0 : 31 - clz(value);
  if (msb <= PLAT_BITS) return value;
  const errorBits = msb - PLAT_BITS;
  const base = (errorBits + 1) << PLAT_BITS;
  const offset = (PLAT_VAL - 1) & (value >> errorBits);
  return min(base + offset, PLAT_NR - 1);
}

export function plat_idx_to_val(index: u32): u32 {
  if (index < PLAT_VAL << 1) return index;
  const errorBits = (index >> PLAT_BITS) - 1;
  const base: f64 = <f64>((<u64>1) << (errorBits + PLAT_BITS));
  const inGroup: f64 = <f64>(index % PLAT_VAL) + 0.5;
  return <u32>(base + inGroup * <f64>((<u64>1) << errorBits));
}
