import assert from "node:assert/strict";
import { test } from "node:test";
import { bootOf, bootsIn, roundSlots, schedule } from "../../../src/experiment/schedule.js";
import { cellNamed, external, fakeHeader } from "../../helpers/fakes/fake-store.js";

const plan = fakeHeader({
  subjects: [external("a"), external("b"), external("c")],
  cells: [cellNamed("x"), cellNamed("y")],
  rounds: 4,
  warmupRounds: 1,
});
const key = (slot: { subject: string; cell: string; round: number }) => `${slot.round} ${slot.cell} ${slot.subject}`;

void test("every subject runs every cell once in each round", () => {
  const measured = schedule(plan).filter((slot) => slot.round > 0);
  assert.equal(measured.length, 3 * 2 * 4);
  assert.equal(new Set(measured.map(key)).size, measured.length);
});

void test("within a round the subjects of one cell run directly after each other", () => {
  for (let round = 1; round <= 4; round++) {
    const cells = roundSlots(plan, round).map((slot) => slot.cell);
    assert.ok(cells.slice(0, 3).every((cell) => cell === cells[0]));
    assert.ok(cells.slice(3).every((cell) => cell === cells[3]));
  }
});

void test("the warm-up comes first, in the first cell only", () => {
  const [first, second, third, fourth] = schedule(plan);
  assert.deepEqual([first?.round, second?.round, third?.round, fourth?.round], [0, 0, 0, 1]);
  assert.deepEqual([first?.cell, second?.cell, third?.cell], ["x", "x", "x"]);
});

void test("the same seed gives the same order, another seed another", () => {
  assert.deepEqual(schedule(plan), schedule({ ...plan }));
  assert.notDeepEqual(schedule(plan), schedule({ ...plan, seed: 2 }));
});

void test("the order differs between rounds and every subject goes first somewhere", () => {
  const firsts = Array.from({ length: 40 }, (_, index) => roundSlots({ ...plan, rounds: 40 }, index + 1)[0]?.subject);
  for (const name of ["a", "b", "c"]) assert.ok(firsts.filter((first) => first === name).length >= 5, name);
});

void test("more rounds leave the order of the earlier ones alone", () => {
  const short = schedule(plan);
  assert.deepEqual(schedule({ ...plan, rounds: 9 }).slice(0, short.length), short);
});

void test("a cell with rounds of its own runs that often", () => {
  const slots = schedule({ ...plan, cells: [cellNamed("x"), cellNamed("pipe", { rounds: 6 })] });
  assert.equal(slots.filter((slot) => slot.cell === "pipe").length, 6 * 3);
  assert.equal(slots.filter((slot) => slot.cell === "x" && slot.round > 0).length, 4 * 3);
});

const booted = { ...plan, rounds: 6, runsPerBoot: 2, warmupRounds: 2 };

void test("a subject makes all runs of a boot in one go, and the boots of all subjects alternate", () => {
  const stays = schedule(booted)
    .map(({ subject, round }) => `${bootOf(booted, round)} ${subject}`)
    .filter((stay, index, all) => stay !== all[index - 1]);
  assert.equal(stays.length, 9);
  assert.equal(new Set(stays).size, 9);
  assert.deepEqual(
    stays.map((stay) => stay[0]),
    ["1", "1", "1", "2", "2", "2", "3", "3", "3"],
  );
});

void test("every boot has its own warm-up rounds, in the first cell only", () => {
  const ofB = schedule(booted).filter(({ subject }) => subject === "b");
  const warmUp = ofB.filter(({ round }) => round < 1);
  assert.deepEqual(
    warmUp.map(({ round }) => [round, bootOf(booted, round)]),
    [
      [0, 1],
      [-1, 1],
      [-2, 2],
      [-3, 2],
      [-4, 3],
      [-5, 3],
    ],
  );
  assert.ok(warmUp.every(({ cell }) => cell === "x"));
  assert.equal(ofB.length - warmUp.length, 6 * 2);
});

void test("more boots leave the order of the first ones as it was, and a last boot may be short", () => {
  const longer = schedule({ ...booted, rounds: 7 });
  assert.deepEqual(longer.slice(0, schedule(booted).length), schedule(booted));
  assert.deepEqual(bootsIn({ ...booted, rounds: 7 }), 4);
  assert.equal(new Set(longer.map(key)).size, longer.length);
});

void test("every subject is booted first somewhere", () => {
  const many = { ...booted, rounds: 40 };
  const firsts = schedule(many).filter(({ order }) => order === 0);
  assert.equal(firsts.length, 20);
  assert.deepEqual([...new Set(firsts.map(({ subject }) => subject))].toSorted(), ["a", "b", "c"]);
});
