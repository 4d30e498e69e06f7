/**
 * The engine module and its layout: every offset, size and constant comes from the module's own exports, named
 * TYPE_Struct_field, size_Struct and GROUP_NAME (assembly/memory/layout-exports.ts). There is no second table of numbers.
 */
import { readFileSync } from "node:fs";
import { EngineError } from "../../errors.js";
import { PACKAGE_FILES } from "../../package-files.js";
import { moduleRemedy } from "../../platform/rebuilding.js";

const FIELD = /^(u32|i32|f64)_([A-Z][A-Za-z]*)_([a-z][A-Za-z]*)$/u;
const SIZE = /^size_([A-Z][A-Za-z]*)$/u;
const CONSTANT = /^[A-Z]+(_[A-Z]+)+$/u;

/** How a field is read. */
export type FieldType = "u32" | "i32" | "f64";

/** Where a field lies in its struct. */
export interface Field {
  readonly type: FieldType;
  readonly offset: number;
}

/** The structs of assembly/memory/layout.ts: fields by `Struct.field`, sizes by struct; and the values of their fields by name. */
export interface Layout {
  readonly field: (name: string) => Field;
  /** Bytes from one to the next in an array. */
  readonly sizeOf: (struct: string) => number;
  /** Such as `MODE_PACED`. */
  readonly constant: (name: string) => number;
}

const globalValue = (exported: unknown): number | undefined =>
  exported instanceof WebAssembly.Global && typeof exported.value === "number" ? exported.value : undefined;

const found = <T>(map: ReadonlyMap<string, T>, name: string): T => {
  const entry = map.get(name);
  if (entry === undefined) throw new EngineError(`the engine module does not export "${name}"`, moduleRemedy());
  return entry;
};

/** Reads the layout from a module's exports. */
export const layoutOf = (exports: Readonly<Record<string, unknown>>): Layout => {
  const fields = new Map<string, Field>();
  const sizes = new Map<string, number>();
  const constants = new Map<string, number>();
  for (const [name, exported] of Object.entries(exports)) {
    const value = globalValue(exported);
    if (value === undefined) continue;
    const field = FIELD.exec(name);
    const type = field?.[1];
    if (type === "u32" || type === "i32" || type === "f64")
      fields.set(`${field?.[2]}.${field?.[3]}`, { type, offset: value });
    const struct = SIZE.exec(name)?.[1];
    if (struct !== undefined) sizes.set(struct, value);
    if (CONSTANT.test(name)) constants.set(name, value >>> 0);
  }
  return {
    field: (name) => found(fields, name),
    sizeOf: (struct) => found(sizes, struct),
    constant: (name) => found(constants, name),
  };
};

/** The module's bytes, as built. */
export const readEngineModule = (): Uint8Array => {
  try {
    return readFileSync(`${PACKAGE_FILES.engineFolder}schbench.wasm`);
  } catch (error) {
    throw new EngineError("the engine module is missing", moduleRemedy(), { cause: error });
  }
};

const notCalled = (): number => {
  throw new EngineError("a benchmark function was called outside of a benchmark thread");
};

/** Imports for an instance that runs no benchmark thread: it reads the layout, or is called by a test. */
export const idleImports = (memory: WebAssembly.Memory) => ({
  env: { memory },
  // Whatever assembly/host.ts declares.
  host: new Proxy({}, { get: () => notCalled }),
});
