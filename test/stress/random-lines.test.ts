import test from "node:test";
import { checkRandomRun } from "../helpers/random-run.js";

for (let seed = 11; seed <= 110; seed++)
  test(`random command line ${seed} ends well and adds up`, () => checkRandomRun(seed));
