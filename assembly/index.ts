/** The engine module: the bodies of the benchmark threads, its layout, and what the tests call. */
export * from "./memory/layout-exports";
export { run_thread } from "./birth";
export { record_trap } from "./failure";
export { add_lat } from "./memory/record";
export { due_nsec, first_slot_after, first_slot_at } from "./pace";
export { plat_idx_to_val, plat_val_to_idx } from "./memory/plat";
export { do_some_math } from "./work";
