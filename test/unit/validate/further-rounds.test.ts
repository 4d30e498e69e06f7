import assert from "node:assert/strict";
import { test } from "node:test";
import { furtherRound } from "../../../src/validate/further-rounds.js";
import { cellNamed, fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";

const header = fakeHeader({ cells: [cellNamed("x", { rounds: 1 }), cellNamed("y", { rounds: 2 })], rounds: 1 });
const done = (cell: string, ...rounds: number[]) =>
  rounds.flatMap((round) => [fakeRecord("a", cell, round), fakeRecord("b", cell, round)]);
const rounds = (slots: ReturnType<typeof furtherRound>) =>
  slots.map((slot) => `${slot.cell}${slot.round}${slot.subject}`).toSorted();

void test("each cell gets the round after its last", () => {
  const slots = furtherRound(header, [...done("x", 1), ...done("y", 1, 2)], ["x", "y"], 5);
  assert.deepEqual(rounds(slots), ["x2a", "x2b", "y3a", "y3b"]);
});

void test("only the cells that are asked for go on", () => {
  assert.deepEqual(rounds(furtherRound(header, done("x", 1), ["x"], 5)), ["x2a", "x2b"]);
});

void test("a round that was interrupted is completed first", () => {
  const records = [...done("x", 1), fakeRecord("a", "x", 2)];
  assert.deepEqual(rounds(furtherRound(header, records, ["x"], 5)), ["x2a", "x2b"]);
});

void test("a failed run does not count as done", () => {
  const failed = fakeRecord("b", "x", 2, { excluded: { code: "failed", message: "" }, result: null });
  assert.deepEqual(rounds(furtherRound(header, [...done("x", 1), fakeRecord("a", "x", 2), failed], ["x"], 5)), [
    "x2a",
    "x2b",
  ]);
});

void test("at the limit nothing is left to do", () => {
  assert.deepEqual(furtherRound(header, done("x", 1, 2), ["x"], 2), []);
  assert.deepEqual(furtherRound(header, done("x", 1), ["x"], 0), []);
});
