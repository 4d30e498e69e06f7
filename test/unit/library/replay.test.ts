import assert from "node:assert/strict";
import test from "node:test";
import { createReplay } from "../../../src/library/replay.js";

const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

test("every reader gets everything, whether it comes early, in between or after the end", async () => {
  const replay = createReplay<number>();
  const early = collect(replay.items);
  replay.add(1);
  await Promise.resolve();
  replay.add(2);
  const between = collect(replay.items);
  await new Promise((resolve) => setImmediate(resolve));
  replay.add(3);
  replay.end(null);
  assert.deepEqual(await early, [1, 2, 3]);
  assert.deepEqual(await between, [1, 2, 3]);
  assert.deepEqual(await collect(replay.items), [1, 2, 3]);
});

test("a failure reaches every reader after what came before it", async () => {
  const replay = createReplay<number>();
  replay.add(1);
  replay.end(new Error("gone"));
  for (let reader = 0; reader < 2; reader++) {
    const found: number[] = [];
    await assert.rejects(async () => {
      for await (const item of replay.items) found.push(item);
    }, /gone/);
    assert.deepEqual(found, [1]);
  }
});

test("a reader that leaves does not disturb the others", async () => {
  const replay = createReplay<number>();
  replay.add(1);
  for await (const item of replay.items) {
    assert.equal(item, 1);
    break;
  }
  replay.end(null);
  assert.deepEqual(await collect(replay.items), [1]);
});
