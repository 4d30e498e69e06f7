/** The engine module: the bodies of the benchmark threads, its layout, and what the tests call. */
export * from "./layout-exports";
export { record_affinity, record_trap } from "./failure";
export { add_lat } from "./record";
export { message_thread } from "./message-thread";
export { due_nsec, first_slot_after } from "./pace";
export { plat_idx_to_val, plat_val_to_idx } from "./plat";
export { bench_host_call, test_cpu_lock, test_hand_over, test_list_put, test_list_take, test_trap } from "./self-test";
export { do_some_math } from "./work";
export { worker_thread } from "./worker-thread";
