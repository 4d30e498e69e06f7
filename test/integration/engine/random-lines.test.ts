import test from "node:test";
import { checkRandomRun } from "../../helpers/random-run.js";

/** Ten of the hundred of test/stress, so that every change meets some. */
for (let seed = 1; seed <= 10; seed++)
  test(`random command line ${seed} ends well and adds up`, () => checkRandomRun(seed));
