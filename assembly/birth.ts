/**
 * The life of a thread: it takes what its setup says, in the order in which the original's threads do, runs its body, and
 * leaves. A message thread brings its workers to life itself, one after the other, from the CPU on which it stands and with
 * the workers' CPUs in force: where a thread begins decides where it runs in a storm.
 *
 * Upstream counterpart: message_thread and worker_thread, up to their loops.
 */
import { fail, stopping } from "./failure";
import { await_gate, leave, let_go } from "./gate";
import { joinGroup, setCpus, setName, setSched, setTimerSlack, startThread } from "./host";
import {
  CALL_AFFINITY,
  CALL_GROUP,
  CALL_SCHED,
  CALL_START,
  Control,
  ENTRY_BENCH_HOST_CALL,
  ENTRY_LOAD_DUTY,
  ENTRY_LOAD_MEMORY,
  ENTRY_LOAD_SPIN,
  ENTRY_LOAD_WAKE,
  ENTRY_MESSAGE_THREAD,
  ENTRY_TEST_CPU_LOCK,
  ENTRY_TEST_HAND_OVER,
  ENTRY_TEST_LIST_PUT,
  ENTRY_TEST_LIST_TAKE,
  ENTRY_TEST_TRAP,
  ENTRY_WORKER_THREAD,
  SETUP_BYTES,
  ThreadSetup,
} from "./memory/layout";
import { load_duty, load_memory, load_spin, load_wake } from "./load-thread";
import { message_thread } from "./message-thread";
import { begin_stats } from "./memory/record";
import { bench_host_call, test_cpu_lock, test_hand_over, test_list_put, test_list_take, test_trap } from "./self-test";
import { worker_thread } from "./worker-thread";

/** What a host calls in a new thread, and all that it does there. */
export function run_thread(setup: ThreadSetup, tid: u32): void {
  const td = setup.threadData;
  td.tid = tid;
  setName(changetype<usize>(setup) + offsetof<ThreadSetup>("name"));
  if (setup.children == 0) join_group(setup);
  take_cpus(setup, setup.bornCpus);
  await_gate(setup);
  if (setup.children != 0) {
    bring_up(setup);
    join_group(setup);
  }
  take_cpus(setup, setup.cpus);
  if (setup.timerSlackNsec != 0) setTimerSlack(setup.timerSlackNsec);
  take_sched(setup);
  begin_stats(td);
  atomic.add<u32>(changetype<usize>(td.control) + offsetof<Control>("ready"), 1);
  run_body(setup);
  leave(td);
}

/** A child that has a gate exists already and waits there; one that has none is created. */
function bring_up(setup: ThreadSetup): void {
  const td = setup.threadData;
  take_cpus(setup, setup.childrenCpus);
  for (let i: u32 = 1; i <= setup.children && !stopping(td); i++) {
    const child = changetype<ThreadSetup>(changetype<usize>(setup) + i * SETUP_BYTES);
    if (child.gate != 0) {
      let_go(td, child);
      continue;
    }
    const error = startThread(changetype<usize>(child));
    if (error != 0) fail(td, CALL_START, error);
  }
}

function join_group(setup: ThreadSetup): void {
  if (setup.group == 0) return;
  const error = joinGroup(setup.group);
  if (error != 0) fail(setup.threadData, CALL_GROUP, error);
}

function take_cpus(setup: ThreadSetup, mask: usize): void {
  if (mask == 0) return;
  const error = setCpus(mask, setup.maskBytes);
  if (error != 0) fail(setup.threadData, CALL_AFFINITY, error);
}

/** The last thing before its work: real time that ran sooner would keep threads that are still being born off the CPU. */
function take_sched(setup: ThreadSetup): void {
  if (setup.sched == 0) return;
  const error = setSched(setup.sched);
  if (error != 0) fail(setup.threadData, CALL_SCHED, error);
}

function run_body(setup: ThreadSetup): void {
  const td = setup.threadData;
  switch (setup.entry) {
    case ENTRY_MESSAGE_THREAD:
      message_thread(td);
      break;
    case ENTRY_WORKER_THREAD:
      worker_thread(td);
      break;
    case ENTRY_LOAD_SPIN:
      load_spin(td);
      break;
    case ENTRY_LOAD_DUTY:
      load_duty(td, setup.first, setup.second);
      break;
    case ENTRY_LOAD_WAKE:
      load_wake(td, setup.first);
      break;
    case ENTRY_LOAD_MEMORY:
      load_memory(td, setup.first);
      break;
    case ENTRY_TEST_HAND_OVER:
      test_hand_over(td, setup.first, setup.second);
      break;
    case ENTRY_TEST_LIST_PUT:
      test_list_put(td, setup.first);
      break;
    case ENTRY_TEST_LIST_TAKE:
      test_list_take(td, setup.first);
      break;
    case ENTRY_TEST_CPU_LOCK:
      test_cpu_lock(td, setup.first, setup.second);
      break;
    case ENTRY_TEST_TRAP:
      test_trap();
      break;
    case ENTRY_BENCH_HOST_CALL:
      bench_host_call(td, setup.first, setup.second);
      break;
    default:
      unreachable();
  }
}
