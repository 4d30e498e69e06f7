/** The rooms of the house: few enough files in each that one finds the right one, and no two folders that import each other. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";

const root = new URL("../../..", import.meta.url).pathname;
const MOST_FILES = 20;
/** Where people look for code. Recorded texts (fixtures, expected) are listed by case, not read by folder. */
const SOURCES = ["src", "assembly", "native", "bench", "scripts", "test"];
const RECORDED = /^test\/(?:fixtures|golden\/expected)\//;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((file) => !RECORDED.test(file));

/** Imports, re-exports and imports on demand, of types too. */
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** The room of a file. The few files beside the rooms of src (errors, units, the library's entry) stand for themselves. */
const roomOf = (file: string): string => (dirname(file) === "src" ? file : dirname(file));

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(IMPORT)].map(([, path = ""]) => {
    const target = join(dirname(file), path).replace(/js$/, "ts");
    return existsSync(join(root, target)) ? target : `${target}.ts`;
  });

type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

/** Which room imports from which others. */
const roomsOf = (files: readonly string[]): Rooms => {
  const rooms = new Map<string, Set<string>>();
  for (const file of files) {
    const room = roomOf(file);
    const others = importsOf(file)
      .map(roomOf)
      .filter((other) => other !== room);
    rooms.set(room, new Set([...(rooms.get(room) ?? []), ...others]));
  }
  return rooms;
};

/** What is left once every room has gone that imports from none that is left, or that none that is left imports from. */
const circlesIn = (rooms: Rooms): readonly string[] => {
  const left = new Map(rooms);
  for (;;) {
    const others = [...left].map(([room, imported]) => ({
      room,
      imported: [...imported].filter((name) => left.has(name)),
    }));
    const isImported = new Set(others.flatMap(({ imported }) => imported));
    const free = others.filter(({ room, imported }) => imported.length === 0 || !isImported.has(room));
    if (free.length === 0) return [...left.keys()].toSorted();
    for (const { room } of free) left.delete(room);
  }
};

const made = (edges: Record<string, readonly string[]>): Rooms =>
  new Map(Object.entries(edges).map(([room, others]) => [room, new Set(others)]));

test("rooms that import each other are found, over any number of rooms between", () => {
  assert.deepEqual(circlesIn(made({ a: ["b", "c"], b: ["c"], c: [] })), []);
  assert.deepEqual(circlesIn(made({ a: ["b"], b: ["c"], c: ["b"], d: [] })), ["b", "c"]);
  assert.deepEqual(circlesIn(made({ a: ["b"], b: ["c"], c: ["a"] })), ["a", "b", "c"]);
});

for (const folder of ["src", "assembly"])
  test(`no rooms of ${folder} import each other`, () => {
    const files = filesBelow(folder).filter((file) => /\.c?ts$/.test(file));
    const found = roomsOf(files);
    const edges = [...found.values()].reduce((sum, others) => sum + others.size, 0);
    assert.ok(edges >= found.size - 1, `${found.size} rooms, ${edges} imports between them`);
    assert.deepEqual(circlesIn(found), [], "each imports from another of these, and so on in a circle");
  });

test(`no folder holds more than ${MOST_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const file of SOURCES.flatMap(filesBelow)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  assert.ok(counts.size > 60, `${counts.size} folders`);
  const full = [...counts].filter(([, count]) => count > MOST_FILES).map(([folder, count]) => `${folder}: ${count}`);
  assert.deepEqual(full, [], "divide it by the question that its files answer");
});
